from db.connection import open_database
def test_x(database_url):
    e = open_database(database_url)
    e.dispose()
    open_database(database_url).dispose()
