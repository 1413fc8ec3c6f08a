-- Whether an acknowledged commit survives a crash of the server, as it is configured.
SELECT current_setting('fsync') = 'on' AND current_setting('synchronous_commit') <> 'off' AS durable
