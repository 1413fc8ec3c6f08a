-- The same where others follow in the caller's transaction: if something is there now, nothing fails and no row comes back.
{settle_once}
ON CONFLICT (lookup) DO NOTHING
RETURNING lookup
