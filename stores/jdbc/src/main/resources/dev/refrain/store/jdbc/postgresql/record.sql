-- A record r with all its parts: what is left of its times on this clock now. Neither
-- infinite times (an error before PostgreSQL 17) nor absent parts are touched.
r.id, r.owner, r.fence, r.state, r.hold, r.parts, r.format, r.recipe, r.fingerprint, r.recovery_point,
CASE WHEN r.state = 1 THEN (date_part('epoch', r.lease_until - clock_timestamp()) * 1000000)::bigint END AS lease_left,
CASE WHEN r.expires_at < 'infinity'
    -- Ages are measured by it: see set_back_since.
    THEN (date_part('epoch', r.expires_at - clock_timestamp()
        - CASE WHEN {settled} THEN {span(0)} ELSE {set_back_since(r.claimed_at)} END) * 1000000)::bigint END AS life_left,
CASE WHEN r.state = 2 AND r.parts & 1 <> 0
    THEN (SELECT p.bytes FROM refrain_payload p WHERE p.record_id = r.id AND p.kind = 1) ELSE r.outcome END AS outcome,
CASE WHEN r.state <> 2 AND r.parts & 2 <> 0
    THEN (SELECT p.bytes FROM refrain_payload p WHERE p.record_id = r.id AND p.kind = 2) END AS request,
r.carried
