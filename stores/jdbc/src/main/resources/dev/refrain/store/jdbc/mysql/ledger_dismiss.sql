SELECT e.key FROM refrain_ledger_entry e
WHERE e.ledger = :ledger AND e.key = :key AND e.finding = :finding AND e.dismissed = 0
FOR UPDATE;

UPDATE refrain_ledger_entry SET dismissed = finding WHERE ledger = :ledger AND `key` = :key;

INSERT INTO refrain_audit (at, action, target, who, why) VALUES ({now}, :action, CONCAT(:ledger, ' ', :key), :who, :why)
