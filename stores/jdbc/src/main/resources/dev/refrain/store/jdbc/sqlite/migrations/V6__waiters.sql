-- Refrain, schema version 6, SQLite: nothing changes. Whoever waits for a record watches the database's file.
-- Code of version 5 knows nothing of it and goes on as before: it wakes nobody.
UPDATE refrain_meta SET version = 6, oldest_reader = 5 WHERE name = 'schema';
