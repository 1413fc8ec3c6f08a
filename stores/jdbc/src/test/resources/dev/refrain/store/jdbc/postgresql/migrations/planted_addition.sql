-- The next version, as a test imagines it: it only adds what older code need not know, and says so.
ALTER TABLE refrain_record ADD COLUMN planted text;
ALTER TABLE refrain_outbox ADD COLUMN planted bigint NOT NULL DEFAULT 7;
CREATE INDEX refrain_record_planted ON refrain_record (planted) WHERE planted IS NOT NULL;
CREATE TABLE refrain_planted (name text NOT NULL PRIMARY KEY);

-- On the right the values from before: the oldest reader is the version that there was.
UPDATE refrain_meta SET version = version + 1, oldest_reader = version WHERE name = 'schema';
