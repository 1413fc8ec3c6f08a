-- Tables that this user may not use, although it may write records: found at start, or a completion would fail after its work. Who may not
-- write records at all reads only, and is left alone where the store may be one that only reads (:writes is false).
SELECT t.name AS name, current_user AS owner
FROM unnest(ARRAY[
    $name$refrain_record$name$, $name$refrain_payload$name$, $name$refrain_attempt$name$, $name$refrain_attention$name$, $name$refrain_audit$name$, $name$refrain_meta$name$, $name$refrain_waiter$name$, $name$refrain_operation$name$,
    $name$refrain_step$name$, $name$refrain_outbox$name$, $name$refrain_outbox_past$name$, $name$refrain_outbox_watch$name$, $name$refrain_ledger$name$, $name$refrain_ledger_entry$name$]) AS t (name), to_regclass(t.name) AS r (id)
WHERE (:writes OR has_table_privilege(to_regclass($name$refrain_record$name$), 'INSERT')) AND r.id IS NOT NULL
    AND NOT (has_table_privilege(r.id, 'SELECT') AND has_table_privilege(r.id, 'INSERT')
        AND has_table_privilege(r.id, 'UPDATE') AND has_table_privilege(r.id, 'DELETE'))
