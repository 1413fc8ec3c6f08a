-- A version that older code cannot work with: what it needs has another name.
ALTER TABLE refrain_record RENAME COLUMN lease_until TO lease_ends;

UPDATE refrain_meta SET version = version + 1, oldest_reader = version + 1 WHERE name = 'schema';
