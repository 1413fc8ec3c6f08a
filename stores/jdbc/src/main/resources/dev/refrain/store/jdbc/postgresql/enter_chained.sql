-- In a transaction that was begun by another's commit: it is at the same isolation level, which is not asked again.
SELECT pg_try_advisory_xact_lock(:lock) AS granted, false AS frozen, {bounded};

{read_entered}
