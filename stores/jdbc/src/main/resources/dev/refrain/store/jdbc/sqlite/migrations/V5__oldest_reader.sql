-- Refrain, schema version 5: the tables say the oldest version whose code may use them.
--
-- oldest_reader: code that knows the tables up to this version, or a later one, may read and write them as they are now. Each later
-- migration sets it: to what it was if it only adds what older code need not know, to its own version if older code must stop.
ALTER TABLE refrain_meta ADD COLUMN oldest_reader INTEGER;

-- Code of version 4 refuses to start on tables of any other version.
UPDATE refrain_meta SET version = 5, oldest_reader = 5 WHERE name = 'schema';
