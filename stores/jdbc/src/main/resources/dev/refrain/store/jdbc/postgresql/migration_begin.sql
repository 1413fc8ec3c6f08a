-- Two processes that start at once migrate one after the other. READ COMMITTED, so that the second sees what the first
-- did, whatever the database's default.
BEGIN ISOLATION LEVEL READ COMMITTED;

SELECT pg_advisory_xact_lock({migration_lock})
