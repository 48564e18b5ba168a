"""How Alembic reaches the database: on the connection that it is handed."""

from alembic import context

from db.tables import Base

_connection = context.config.attributes["connection"]
context.configure(
    connection=_connection,
    target_metadata=Base.metadata,
    render_as_batch=True,
    compare_type=True,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
