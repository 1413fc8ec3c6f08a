-- This host's clock in milliseconds, the same throughout one statement.
CAST(round(unixepoch('subsec') * 1000) AS INTEGER)
