-- A record r as people see it, in microseconds of this clock. The length of what is stored apart is known without reading it.
r.lookup, r.id, r.fence, r.state, r.hold, r.recipe, r.recovery_point, r.subject, r.scope, r.namespace, r.key,
(extract(epoch FROM r.claimed_at) * 1000000)::bigint AS claimed_at,
(extract(epoch FROM r.completed_at) * 1000000)::bigint AS completed_at,
CASE WHEN r.state = 1 THEN (extract(epoch FROM r.lease_until) * 1000000)::bigint END AS lease_until,
CASE WHEN r.expires_at < 'infinity' THEN (extract(epoch FROM r.expires_at) * 1000000)::bigint END AS expires_at,
(extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS seen_at,
CASE WHEN r.parts & 1 <> 0
    THEN (SELECT octet_length(p.bytes) FROM refrain_payload p WHERE p.record_id = r.id AND p.kind = 1)
    ELSE octet_length(r.outcome) END AS outcome_size,
CASE WHEN r.parts & 2 <> 0
    THEN (SELECT octet_length(p.bytes) FROM refrain_payload p WHERE p.record_id = r.id AND p.kind = 2) END AS request_size,
CASE WHEN r.parts & 4 <> 0
    THEN (SELECT octet_length(p.bytes) FROM refrain_payload p WHERE p.record_id = r.id AND p.kind = 4) END AS carried_size,
t.reason, (extract(epoch FROM t.since) * 1000000)::bigint AS since
