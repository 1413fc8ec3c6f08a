-- Anew, or for longer.
INSERT INTO refrain_waiter (lookup, listener, until)
SELECT a.lookup, a.listener, clock_timestamp() + a.life * interval '1 microsecond'
FROM unnest(:lookup::uuid[], :listener::uuid[], :life::bigint[]) AS a (lookup, listener, life)
ON CONFLICT (lookup, listener) DO UPDATE SET until = excluded.until
