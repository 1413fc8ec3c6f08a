-- A file has no users.
SELECT '' AS name, '' AS owner WHERE false
