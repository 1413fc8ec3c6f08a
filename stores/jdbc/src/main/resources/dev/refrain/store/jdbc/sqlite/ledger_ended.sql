INSERT INTO refrain_ledger (name, read_until) VALUES (:ledger, :begun / 1000)
ON CONFLICT (name) DO UPDATE SET read_until = max(read_until, excluded.read_until)
