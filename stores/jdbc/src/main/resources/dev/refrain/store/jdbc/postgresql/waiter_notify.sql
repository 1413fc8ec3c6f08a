-- After the commit of what it tells of, and in a transaction of its own: to notify makes commits wait for one another. The hash alone goes out.
SELECT pg_notify('refrain_done', x.lookup::text)
FROM (
    SELECT DISTINCT w.lookup FROM refrain_waiter w
    WHERE w.lookup = ANY (:lookup::uuid[]) AND w.until > clock_timestamp()
) x
