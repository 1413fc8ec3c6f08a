WITH dismissed AS (
    UPDATE refrain_ledger_entry e SET dismissed = e.finding
    WHERE e.ledger = :ledger AND e.key = :key AND e.finding = :finding AND e.dismissed = 0
    RETURNING e.key
),
audited AS (
    INSERT INTO refrain_audit (at, action, target, who, why)
    SELECT clock_timestamp(), :action, :ledger || ' ' || d.key, :who, :why FROM dismissed d
)
SELECT d.key FROM dismissed d
