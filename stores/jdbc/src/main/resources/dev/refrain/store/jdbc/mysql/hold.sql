-- A claim under `hold` whose lease is over: whether it took effect is not known, so a person, a rule or the reconciler has to look.
SELECT r.lookup
FROM {rows(lookup uuid, id uuid, fence bigint)} STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = a.lookup
WHERE r.id = a.id AND r.fence = a.fence AND r.state = 1 AND r.hold AND r.lease_until <= {now}
FOR UPDATE NOWAIT;

UPDATE {rows(lookup uuid)} STRAIGHT_JOIN refrain_record r FORCE INDEX (PRIMARY) ON r.lookup = a.lookup
SET r.state = 4, r.parts = r.parts | 8;

INSERT INTO refrain_attention (lookup, record_id, fence, since, reason)
SELECT h.lookup, h.id, h.fence, {now}, {lease_ended_reason}
FROM {rows(lookup uuid)} STRAIGHT_JOIN refrain_record h FORCE INDEX (PRIMARY) ON h.lookup = a.lookup
{listed_anew}
