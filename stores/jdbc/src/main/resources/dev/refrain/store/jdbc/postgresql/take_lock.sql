SELECT pg_try_advisory_xact_lock(:lock) AS granted,
    current_setting('transaction_isolation') <> 'read committed' AS frozen
