-- Refrain, schema version 10: notes of how far the database's clock has come, so that one that was set back is noticed. They are rows of
-- refrain_meta, which has had the columns since version 1: see clock.sql.

INSERT INTO refrain_meta (name, moment) VALUES ('clock', clock_timestamp());

-- Code of version 9 takes and heeds no notes.
UPDATE refrain_meta SET version = 10, oldest_reader = 7 WHERE name = 'schema';
