-- A record r as people see it, in microseconds of this clock. The length of what is stored apart is known without reading it.
{explained}, r.hold, r.recipe, r.subject, r.scope, r.namespace, r.key,
CASE WHEN r.expires_at < 'infinity' THEN (extract(epoch FROM r.expires_at) * 1000000)::bigint END AS expires_at,
CASE WHEN r.parts & 1 <> 0
    THEN (SELECT octet_length(p.bytes) FROM refrain_payload p WHERE p.record_id = r.id AND p.kind = 1)
    ELSE octet_length(r.outcome) END AS outcome_size,
CASE WHEN r.parts & 2 <> 0
    THEN (SELECT octet_length(p.bytes) FROM refrain_payload p WHERE p.record_id = r.id AND p.kind = 2) END AS request_size,
octet_length(r.carried) AS carried_size,
CASE WHEN r.state IN (1, 4) AND r.parts & 32 <> 0
    THEN (SELECT octet_length(p.bytes) FROM refrain_payload p WHERE p.record_id = r.id AND p.kind = 32) END AS kept_request_size
