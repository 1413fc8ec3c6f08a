-- Refrain, schema version 10: notes of how far this host's clock has come, so that one that was set back is noticed.
--
-- moment, since: see clock.sql.
ALTER TABLE refrain_meta ADD COLUMN moment INTEGER;
ALTER TABLE refrain_meta ADD COLUMN since INTEGER;

INSERT INTO refrain_meta (name, moment) VALUES ('clock', CAST(round(unixepoch('subsec') * 1000) AS INTEGER));

-- Code of version 9 takes and heeds no notes.
UPDATE refrain_meta SET version = 10, oldest_reader = 7 WHERE name = 'schema';
