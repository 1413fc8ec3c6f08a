-- The same of each row of a batch. Where nobody waits for anything, that is found out once and not for each.
EXISTS (SELECT FROM refrain_waiter) AND EXISTS (SELECT FROM refrain_waiter w WHERE w.lookup = done.lookup) AS awaited
