-- Nothing was there at the beginning: writes the record once, completed. If something is there now, no row comes back.
{settle_absent};

SELECT r.lookup FROM refrain_record r
WHERE r.lookup = :lookup AND r.id = :id AND r.owner = :nonce AND r.fence = :fence AND r.state = 2;

{given(outcome)} INSERT INTO refrain_payload (record_id, kind, bytes) VALUES (:id, 1, :outcome)
