-- A record r with all its parts: what is left of its times on this clock now.
r.id, r.owner, r.fence, r.state, r.hold, r.parts, r.format, r.recipe, r.fingerprint, r.recovery_point,
CASE WHEN r.state = 1 THEN r.lease_until - {now} END AS lease_left,
-- Ages are measured by it: see set_back_since.
CASE WHEN r.expires_at < {for_ever}
    THEN r.expires_at - {now} - CASE WHEN {settled} THEN 0 ELSE {set_back_since(r.claimed_at)} END END AS life_left,
CASE WHEN r.state = 2 AND r.parts & 1 <> 0
    THEN (SELECT y.bytes FROM refrain_payload y WHERE y.record_id = r.id AND y.kind = 1) END AS outcome,
CASE WHEN r.state <> 2 AND r.parts & 2 <> 0
    THEN (SELECT y.bytes FROM refrain_payload y WHERE y.record_id = r.id AND y.kind = 2) END AS request,
CASE WHEN r.state <> 2 AND r.parts & 4 <> 0
    THEN (SELECT y.bytes FROM refrain_payload y WHERE y.record_id = r.id AND y.kind = 4) END AS carried
