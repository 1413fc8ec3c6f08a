-- Fails if SQLite has taken the transaction back by itself, as ON CONFLICT ROLLBACK, RAISE(ROLLBACK) and a full disk make it do. Work that
-- caught the error does not know, and what we write next would commit alone.
RELEASE SAVEPOINT refrain_open_0
