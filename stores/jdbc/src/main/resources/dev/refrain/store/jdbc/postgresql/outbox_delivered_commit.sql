-- One message, as it is where they come one by one, and the COMMIT of its delivery in one round trip. If somebody else has it now this fails
-- with 2201G, an error that work leaves to no commit, and with it whatever was to follow in the same round trip.
WITH gone AS (
    DELETE FROM refrain_outbox o WHERE o.seq = :seq AND o.fence = :fence RETURNING 1
)
SELECT width_bucket(0.0, 0.0, 1.0, (SELECT count(*) FROM gone)::integer);

COMMIT
