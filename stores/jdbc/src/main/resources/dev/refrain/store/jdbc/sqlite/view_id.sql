-- An id says when it was minted, so that the index by time finds it; nothing of the table is read for those beside it.
SELECT {view} FROM {viewed}
WHERE r.claimed_at >= :since / 1000
    AND r.claimed_at <= :until / 1000
    AND r.id = :id AND {alive}
