UPDATE refrain_ledger_entry SET dismissed = finding
WHERE ledger = :ledger AND key = :key AND finding = :finding AND dismissed = 0
RETURNING key;

INSERT INTO refrain_audit (at, action, target, who, why) VALUES ({now}, :action, :ledger || ' ' || :key, :who, :why)
