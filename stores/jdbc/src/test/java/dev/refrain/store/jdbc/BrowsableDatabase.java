package dev.refrain.store.jdbc;

import dev.refrain.store.jdbc.internal.sqlite.SqliteDataSourceFactory;
import java.nio.file.Path;
import java.util.function.Function;
import javax.sql.DataSource;

/** Both databases, with what a test of browsing has to write differently. */
enum BrowsableDatabase {
    POSTGRESQL(
            directory -> TestDatabases.postgres(TestDatabases.emptiedPostgres()),
            "INSERT INTO refrain_record (lookup, id, owner, fence, lease_until, expires_at, claimed_at, completed_at, state, hold,"
                    + " fingerprint, recipe, scope, namespace, key)"
                    + " SELECT (substr(md5(s), 1, 8) || md5(i::text || s))::varchar(32)::uuid,"
                    + " (lpad(to_hex((extract(epoch FROM t) * 1000)::bigint), 12, '0') || '7' || substr(md5(i::text), 1, 19))::uuid,"
                    + " gen_random_uuid(), 1, t, t + interval '1 day', t, t, 2, false, sha256('x'), 'r', s, 'n', i::text"
                    + " FROM (SELECT i, 'scope' || i %% 10 AS s, now() - i * interval '50 ms' AS t"
                    + " FROM generate_series(1, %d) i) many",
            "UPDATE refrain_record SET expires_at = now() - interval '1 second' WHERE key = '%s'"),
    SQLITE(
            directory -> SqliteDataSourceFactory.at(directory.resolve("browsed.db")),
            "WITH RECURSIVE many(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM many WHERE i < %d)"
                    + " INSERT INTO refrain_record (lookup, id, owner, fence, lease_until, expires_at, claimed_at, completed_at, state,"
                    + " hold, fingerprint, recipe, scope, namespace, key)"
                    + " SELECT randomblob(16), unhex(printf('%%012x7%%019x', t, i)), randomblob(16), 1, t, t + 86400000, t, t, 2, 0,"
                    + " randomblob(32), 'r', 'scope' || i %% 10, 'n', i"
                    + " FROM (SELECT i, unixepoch() * 1000 - i * 50 AS t FROM many)",
            "UPDATE refrain_record SET expires_at = 1 WHERE key = '%s'");

    private final Function<Path, DataSource> open;
    private final String fill;
    private final String expire;

    BrowsableDatabase(Function<Path, DataSource> open, String fill, String expire) {
        this.open = open;
        this.fill = fill;
        this.expire = expire;
    }

    DataSource open(Path directory) {
        return open.apply(directory);
    }

    /** Completed records of ten scopes, one claimed every 50 ms until now. */
    void fill(DataSource source, int records) {
        new RawSql(source).execute(fill.formatted(records));
        new RawSql(source).execute("ANALYZE");
    }

    void expire(DataSource source, String key) {
        new RawSql(source).execute(expire.formatted(key));
    }
}
