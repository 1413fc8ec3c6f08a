SELECT x.id
FROM {rows(id uuid)} STRAIGHT_JOIN refrain_outbox_past x FORCE INDEX (PRIMARY) ON x.id = a.id
WHERE x.cause > 0
FOR UPDATE;

INSERT INTO refrain_audit (at, action, target, who, why)
SELECT {now}, a.action, a.id_text, a.who, a.why FROM {rows(action text, id_text text, who text, why text)};

DELETE x FROM {rows(id uuid)} STRAIGHT_JOIN refrain_outbox_past x FORCE INDEX (PRIMARY) ON x.id = a.id
