SELECT version FROM refrain_meta WHERE name = 'schema'
