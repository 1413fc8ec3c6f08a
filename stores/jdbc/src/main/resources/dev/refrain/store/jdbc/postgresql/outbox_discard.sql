WITH gone AS (
    DELETE FROM refrain_outbox_past p
    USING unnest(:id::uuid[], :action::text[], :who::text[], :why::text[]) AS a (id, action, who, why)
    WHERE p.id = a.id AND p.cause > 0
    RETURNING p.id, a.action, a.who, a.why
),
audited AS (
    INSERT INTO refrain_audit (at, action, target, who, why)
    SELECT clock_timestamp(), g.action, g.id::text, g.who, g.why FROM gone g
)
SELECT id FROM gone
