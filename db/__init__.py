"""How things are kept: tables, connection, triggers, migrations. Knows nothing of what they mean."""
