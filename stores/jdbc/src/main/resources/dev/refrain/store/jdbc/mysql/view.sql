-- A record r as people see it, in microseconds of this clock.
{explained}, r.hold, r.recipe, r.subject, r.scope, r.namespace, r.key,
CASE WHEN r.expires_at < {for_ever} THEN r.expires_at END AS expires_at,
CASE WHEN r.parts & 1 <> 0
    THEN (SELECT octet_length(y.bytes) FROM refrain_payload y WHERE y.record_id = r.id AND y.kind = 1) END AS outcome_size,
CASE WHEN r.parts & 2 <> 0
    THEN (SELECT octet_length(y.bytes) FROM refrain_payload y WHERE y.record_id = r.id AND y.kind = 2) END AS request_size,
CASE WHEN r.parts & 4 <> 0
    THEN (SELECT octet_length(y.bytes) FROM refrain_payload y WHERE y.record_id = r.id AND y.kind = 4) END AS carried_size,
CASE WHEN r.state IN (1, 4) AND r.parts & 32 <> 0
    THEN (SELECT octet_length(y.bytes) FROM refrain_payload y WHERE y.record_id = r.id AND y.kind = 32) END AS kept_request_size
