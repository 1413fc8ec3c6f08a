-- An id says when it was minted, so that the index by time finds it; nothing of the table is read for those beside it.
SELECT {view} FROM {viewed}
WHERE r.claimed_at >= 'epoch'::timestamptz + :since * interval '1 microsecond'
    AND r.claimed_at <= 'epoch'::timestamptz + :until * interval '1 microsecond'
    AND r.id = :id AND {alive}
