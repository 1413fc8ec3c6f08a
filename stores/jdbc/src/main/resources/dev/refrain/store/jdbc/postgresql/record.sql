-- A record r with all its parts, where there are any.
{outcome},
CASE WHEN r.state <> 2 AND r.parts & 2 <> 0
    THEN (SELECT p.bytes FROM refrain_payload p WHERE p.record_id = r.id AND p.kind = 2) END AS request,
CASE WHEN r.state <> 2 AND r.parts & 4 <> 0
    THEN (SELECT p.bytes FROM refrain_payload p WHERE p.record_id = r.id AND p.kind = 4) END AS carried
