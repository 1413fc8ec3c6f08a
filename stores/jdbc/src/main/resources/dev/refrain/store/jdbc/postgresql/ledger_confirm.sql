UPDATE refrain_ledger_entry SET confirmed = true WHERE ledger = :ledger AND key = :key
