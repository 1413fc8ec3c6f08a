INSERT INTO refrain_ledger AS l (name, read_until)
VALUES (:ledger, 'epoch'::timestamptz + :begun * interval '1 microsecond')
ON CONFLICT (name) DO UPDATE SET read_until = greatest(l.read_until, excluded.read_until)
