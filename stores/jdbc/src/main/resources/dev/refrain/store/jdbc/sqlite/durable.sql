-- Each lane sets synchronous to FULL (2) or finds EXTRA (3); a database in memory has no WAL.
SELECT (SELECT synchronous FROM pragma_synchronous) >= 2 AND (SELECT journal_mode FROM pragma_journal_mode) = 'wal'
    AS durable
