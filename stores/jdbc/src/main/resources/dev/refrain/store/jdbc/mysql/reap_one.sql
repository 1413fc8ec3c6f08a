-- As reap.sql, of one record that was seen expired. A row that somebody holds is not waited for.
{pick} SELECT r.lookup, r.id
FROM refrain_record r FORCE INDEX (PRIMARY)
WHERE r.lookup = :lookup AND r.id = :id AND r.expires_at <= {now} AND {settled}
FOR UPDATE SKIP LOCKED;

{gone_with_it}
