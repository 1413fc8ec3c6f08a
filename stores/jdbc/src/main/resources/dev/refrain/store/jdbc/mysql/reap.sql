-- Only what is settled and expired. Of what would have expired, but is half done, there is little to walk over. Many at once do no harm: what
-- another one holds is skipped.
{pick} SELECT r.lookup, r.id
FROM refrain_record r FORCE INDEX (refrain_record_expires_at)
WHERE r.expires_at <= {statement_now} AND {settled}
ORDER BY r.expires_at LIMIT :limit
FOR UPDATE SKIP LOCKED;

DELETE r FROM {picked(lookup uuid)} STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = p.lookup;

DELETE y FROM {picked(id uuid)} STRAIGHT_JOIN refrain_payload y FORCE INDEX (PRIMARY) ON y.record_id = p.id;

DELETE t FROM {picked(id uuid)} STRAIGHT_JOIN refrain_attempt t FORCE INDEX (PRIMARY) ON t.record_id = p.id;

-- What a late runner left behind when it met the sweeper.
DELETE t FROM {picked(lookup uuid, id uuid)} STRAIGHT_JOIN refrain_attention t FORCE INDEX (PRIMARY) ON t.lookup = p.lookup
WHERE t.record_id = p.id;

SELECT count(*) AS reaped FROM {picked(lookup uuid)}
