-- Whether the index is there, and whether to make it would take no time.
SELECT i.present, i.present AS whole,
    (SELECT page_count FROM pragma_page_count) * (SELECT page_size FROM pragma_page_size) <= {small_table} AS small
FROM (SELECT count(*) > 0 AS present FROM sqlite_master WHERE type = 'index' AND name = 'refrain_record_claimed_at') i
