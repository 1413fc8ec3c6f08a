-- Not part of the schema: whoever does not browse does not pay for it. It grows at its right edge, and completing changes neither
-- column. The time comes first: an index that begins with the id would be taken by the statements that name (lookup, id).
-- Two that start at once make it one after the other.
SELECT pg_advisory_xact_lock({migration_lock});

CREATE INDEX IF NOT EXISTS refrain_record_claimed_at ON refrain_record (claimed_at, id)
