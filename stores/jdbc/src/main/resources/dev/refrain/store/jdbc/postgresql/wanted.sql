-- Whether a record r is one that a search wants. An erased one has no names: it is wanted by those who name none.
coalesce((:scope::text IS NULL OR r.scope = :scope)
    AND (:namespace::text IS NULL OR r.namespace = :namespace)
    AND (:key::text IS NULL OR r.key = :key)
    AND (:state::bigint IS NULL OR r.state = :state)
    AND (:from::bigint IS NULL OR (extract(epoch FROM r.claimed_at) * 1000000)::bigint >= :from)
    AND (:to::bigint IS NULL OR (extract(epoch FROM r.claimed_at) * 1000000)::bigint < :to)
    AND {alive}, false) AS wanted
