SELECT count(*) > 0 AS present FROM sqlite_master WHERE type = 'table' AND name = 'refrain_meta'
