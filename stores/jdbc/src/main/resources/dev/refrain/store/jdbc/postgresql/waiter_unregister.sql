DELETE FROM refrain_waiter w
USING unnest(:lookup::uuid[], :listener::uuid[]) AS a (lookup, listener)
WHERE w.lookup = a.lookup AND w.listener = a.listener
