SELECT count(*) AS found FROM (
    SELECT FROM refrain_record r WHERE r.lookup BETWEEN :first AND :last AND r.scope = :scope LIMIT :up_to
) counted
