-- Whether the index is there and whole (one that was broken off in the middle is not), and whether to make it would take no time.
SELECT
    EXISTS (SELECT FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE i.indrelid = to_regclass($name$refrain_record$name$) AND c.relname = 'refrain_record_claimed_at') AS present,
    EXISTS (SELECT FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE i.indrelid = to_regclass($name$refrain_record$name$) AND c.relname = 'refrain_record_claimed_at'
            AND i.indisvalid) AS whole,
    pg_relation_size(to_regclass($name$refrain_record$name$)) <= {small_table} AS small
