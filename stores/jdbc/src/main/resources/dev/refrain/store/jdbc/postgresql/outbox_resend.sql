-- As if it had just been staged, but attempts whose end is not known stay so: that its endpoint is mended does not say that it did not
-- arrive. Only who sends again what is unknown has decided that. Decision and audit are one step.
WITH again AS (
    DELETE FROM refrain_outbox_past p
    USING unnest(:id::uuid[], :action::text[], :who::text[], :why::text[]) AS a (id, action, who, why)
    WHERE p.id = a.id AND p.cause > 0
    RETURNING p.id, p.topic, p.lane, p.order_key, p.staged_at, p.settled_at, p.sent_at, p.payload,
        p.scope, p.subject, p.reference,
        CASE WHEN p.cause = 3 THEN 0 ELSE p.open END AS left_open, a.action, a.who, a.why
),
staged AS (
    INSERT INTO refrain_outbox (id, topic, lane, order_key, staged_at, due_at, open, sent_at, payload, scope, subject,
        reference)
    SELECT g.id, g.topic, g.lane, g.order_key, g.staged_at, clock_timestamp(), g.left_open, g.sent_at, g.payload,
        g.scope, g.subject, g.reference
    FROM again g ORDER BY g.staged_at, g.settled_at, g.id
),
audited AS (
    INSERT INTO refrain_audit (at, action, target, who, why)
    SELECT clock_timestamp(), g.action, g.id::text, g.who, g.why FROM again g
)
SELECT g.id, pg_notify('refrain_staged', g.topic) FROM again g
