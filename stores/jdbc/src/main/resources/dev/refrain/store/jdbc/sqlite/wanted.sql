-- Whether a record r is one that a search wants. An erased one has no names: it is wanted by those who name none.
coalesce((:scope IS NULL OR r.scope = :scope)
    AND (:namespace IS NULL OR r.namespace = :namespace)
    AND (:key IS NULL OR r.key = :key)
    AND (:state IS NULL OR r.state = :state)
    AND (:from IS NULL OR r.claimed_at * 1000 >= :from)
    AND (:to IS NULL OR r.claimed_at * 1000 < :to)
    AND {alive}, 0) AS wanted
