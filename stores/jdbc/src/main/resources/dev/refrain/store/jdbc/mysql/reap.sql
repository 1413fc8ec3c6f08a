-- Only what is settled and expired. Of what would have expired, but is half done, there is little to walk over. Many at once do no harm: what
-- another one holds is skipped.
{pick} SELECT r.lookup, r.id
FROM refrain_record r FORCE INDEX (refrain_record_expires_at)
WHERE r.expires_at <= {statement_now} AND {settled}
ORDER BY r.expires_at LIMIT :limit
FOR UPDATE SKIP LOCKED;

{gone_with_it}
