-- Beside the traffic, which it does not hold up; not inside of a transaction.
CREATE INDEX CONCURRENTLY IF NOT EXISTS refrain_record_claimed_at ON refrain_record (claimed_at, id)
