INSERT INTO refrain_audit (at, action, target, who, why)
SELECT {now}, :action, :id_text, :who, :why FROM refrain_outbox_past WHERE id = :id AND cause > 0;

DELETE FROM refrain_outbox_past WHERE id = :id AND cause > 0 RETURNING id
