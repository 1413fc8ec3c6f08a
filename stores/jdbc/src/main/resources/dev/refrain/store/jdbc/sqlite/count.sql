SELECT count(*) AS found FROM (
    SELECT 1 FROM refrain_record WHERE lookup BETWEEN :first AND :last AND scope = :scope LIMIT :up_to
)
