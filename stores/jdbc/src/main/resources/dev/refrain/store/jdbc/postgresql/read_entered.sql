-- Whether there is a record at all. Most runs are the first of their key, and reading what is not there would cost them.
SELECT r.lookup FROM refrain_record r WHERE r.lookup = :lookup
