-- Whether this transaction may have written the record itself. There is nothing in which a savepoint of the caller's would take a note back, so
-- any record may be its own, and is read once more inside.
SELECT 1 AS noted
