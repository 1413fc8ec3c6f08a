SELECT {outbox_dead_view} FROM refrain_outbox_past p WHERE p.id = :id AND p.cause > 0
