-- Makes the records that are absent and reads those that are there, for the whole batch in one statement.
--
-- The batch comes sorted by lookup, so that two batches wait for each other's uncommitted rows in the same order. What
-- was inserted is invisible to this statement's snapshot, and so is what a twin committed while we waited for it: that
-- one is in neither half of the answer and is asked for again. If nothing is inserted, nothing is written, not even a
-- transaction id is drawn: a replay leaves no trace. What is seen is not tried to be inserted, though that would do no
-- harm: it makes replays a fifth cheaper.
WITH asked AS MATERIALIZED (
    SELECT * FROM unnest(
        :lookup::uuid[], :nonce::uuid[], :lease::bigint[], :hold::boolean[], :retention::bigint[], :recipe::text[],
        :fingerprint::bytea[], :scope::text[], :namespace::text[], :key::text[], :subject::text[], :request::bytea[],
        :operation::bigint[], :caller::text[], :trace_id::uuid[], :kept_request::bytea[]
    ) AS a (
        lookup, nonce, lease, hold, retention, recipe, fingerprint, scope, namespace, key, subject, request, operation, caller,
        trace_id, kept_request)
),
seen AS MATERIALIZED (
    SELECT a.lookup, false AS fresh,
        r.scope IS NULL OR (r.scope = a.scope AND r.namespace = a.namespace AND r.key = a.key) AS same,
        {record}
    FROM asked a JOIN refrain_record r ON r.lookup = a.lookup
),
made AS (
    INSERT INTO refrain_record (
        lookup, id, owner, fence, lease_until, expires_at, claimed_at, state, parts, hold, fingerprint, recipe, scope,
        namespace, key, subject, operation, caller, trace_id)
    SELECT a.lookup, a.nonce, a.nonce, 1, clock_timestamp() + a.lease * interval '1 microsecond',
        CASE WHEN a.retention < 0 THEN 'infinity'
            ELSE clock_timestamp() + a.retention * interval '1 microsecond' END,
        clock_timestamp(), 1, CASE WHEN a.request IS NOT NULL THEN 2 WHEN a.kept_request IS NOT NULL THEN 32 ELSE 0 END, a.hold, a.fingerprint, a.recipe, a.scope,
        a.namespace, a.key, a.subject, a.operation, a.caller, a.trace_id
    FROM asked a
    WHERE NOT EXISTS (SELECT FROM seen s WHERE s.lookup = a.lookup)
    ON CONFLICT (lookup) DO NOTHING
    RETURNING lookup
),
stored AS (
    INSERT INTO refrain_payload (record_id, kind, bytes, lookup, namespace, due_at, attempts)
    -- No claim has both. What is kept for people has no turn.
    SELECT a.nonce, CASE WHEN a.request IS NULL THEN 32 ELSE 2 END, coalesce(a.request, a.kept_request),
        CASE WHEN a.request IS NOT NULL THEN a.lookup END, CASE WHEN a.request IS NOT NULL THEN a.namespace END,
        CASE WHEN a.request IS NOT NULL THEN clock_timestamp() + a.lease * interval '1 microsecond' END,
        CASE WHEN a.request IS NOT NULL THEN 0 END
    FROM asked a JOIN made m ON m.lookup = a.lookup WHERE a.request IS NOT NULL OR a.kept_request IS NOT NULL
)
SELECT * FROM seen
UNION ALL
-- One NULL for each column of record.sql.
SELECT m.lookup, true, true, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM made m
