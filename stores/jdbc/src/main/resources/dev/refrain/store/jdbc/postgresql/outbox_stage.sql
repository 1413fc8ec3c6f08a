-- In the caller's transaction. To notify makes commits wait for one another (PostgreSQL has one queue for all of a cluster's
-- notifications), so it is left out while somebody looks for messages anyway: under load nobody has to be woken.
WITH staged AS (
    INSERT INTO refrain_outbox (id, topic, lane, order_key, staged_at, due_at, payload, scope, subject, reference)
    VALUES (:id, :topic, :lane, :order_key, clock_timestamp(), clock_timestamp(), :payload, :scope, :subject, :reference)
)
SELECT pg_notify('refrain_staged', :topic)
WHERE NOT EXISTS (SELECT FROM refrain_outbox_watch w WHERE w.topic = :topic AND w.awake_until > clock_timestamp()
    -- One that lies further ahead was set by a clock that was ahead.
    AND w.awake_until <= clock_timestamp() + {outbox_awake} * interval '1 microsecond')
