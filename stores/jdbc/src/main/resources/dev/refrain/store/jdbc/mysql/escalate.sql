SELECT r.lookup
FROM {rows(lookup uuid, id uuid, fence bigint)} STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = a.lookup
WHERE r.id = a.id AND r.fence = a.fence AND r.state = 1
FOR UPDATE NOWAIT;

UPDATE {rows(lookup uuid)} STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = a.lookup
SET r.state = 4, r.parts = r.parts | 8;

INSERT INTO refrain_attention (lookup, record_id, fence, since, reason)
SELECT a.lookup, a.id, a.fence, {now}, a.reason FROM {rows(lookup uuid, id uuid, fence bigint, reason text)}
{listed_anew}
