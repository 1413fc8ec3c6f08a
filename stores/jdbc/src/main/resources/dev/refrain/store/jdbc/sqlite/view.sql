-- A record r as people see it, in microseconds of this clock as everywhere outside of this database.
r.lookup, r.id, r.fence, r.state, r.hold, r.recipe, r.recovery_point, r.subject, r.scope, r.namespace, r.key,
r.claimed_at * 1000 AS claimed_at, r.completed_at * 1000 AS completed_at,
CASE WHEN r.state = 1 THEN r.lease_until * 1000 END AS lease_until,
CASE WHEN r.expires_at < {for_ever} THEN r.expires_at * 1000 END AS expires_at,
{now} * 1000 AS seen_at,
CASE WHEN r.parts & 1 <> 0
    THEN (SELECT length(p.bytes) FROM refrain_payload p WHERE p.record_id = r.id AND p.kind = 1) END AS outcome_size,
CASE WHEN r.parts & 2 <> 0
    THEN (SELECT length(p.bytes) FROM refrain_payload p WHERE p.record_id = r.id AND p.kind = 2) END AS request_size,
CASE WHEN r.parts & 4 <> 0
    THEN (SELECT length(p.bytes) FROM refrain_payload p WHERE p.record_id = r.id AND p.kind = 4) END AS carried_size,
t.reason, t.since * 1000 AS since
