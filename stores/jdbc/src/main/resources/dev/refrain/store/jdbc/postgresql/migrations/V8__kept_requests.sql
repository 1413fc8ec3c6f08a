-- Refrain, schema version 8: the request of a claim is kept for people until its record is settled.
--
-- refrain_payload has one kind more: 32, the request as it was received, only of records that are IN_PROGRESS or in ATTENTION. It has no
-- turn (due_at, attempts, lookup, namespace). parts has the bit 32 where there may be one.

-- Code of version 7 goes on: where it completes or releases a record of newer code, it leaves the kept request, which nobody shows any
-- more and the next completion, erasure or reaping removes. It knows no other way to lose a record.
UPDATE refrain_meta SET version = 8, oldest_reader = 7 WHERE name = 'schema';
