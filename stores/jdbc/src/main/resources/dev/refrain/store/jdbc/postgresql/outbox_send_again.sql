-- As if it had just been staged; what is known of earlier attempts goes, because somebody has decided. Decision and audit are one
-- step.
WITH again AS (
    DELETE FROM refrain_outbox_past p
    USING unnest(:id::uuid[], :action::text[], :who::text[], :why::text[]) AS a (id, action, who, why)
    WHERE p.id = a.id AND p.cause > 0
    RETURNING p.id, p.topic, p.lane, p.order_key, p.staged_at, p.settled_at, p.payload, a.action, a.who, a.why
),
staged AS (
    INSERT INTO refrain_outbox (id, topic, lane, order_key, staged_at, due_at, payload)
    SELECT g.id, g.topic, g.lane, g.order_key, g.staged_at, clock_timestamp(), g.payload
    FROM again g ORDER BY g.staged_at, g.settled_at, g.id
),
audited AS (
    INSERT INTO refrain_audit (at, action, target, who, why)
    SELECT clock_timestamp(), g.action, g.id::text, g.who, g.why FROM again g
)
SELECT g.id, pg_notify('refrain_staged', g.topic) FROM again g
