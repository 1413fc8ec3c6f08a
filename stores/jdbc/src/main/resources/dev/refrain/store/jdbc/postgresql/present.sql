SELECT to_regclass('refrain_meta') IS NOT NULL AS present
