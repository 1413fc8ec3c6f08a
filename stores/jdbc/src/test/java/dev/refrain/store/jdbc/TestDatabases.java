package dev.refrain.store.jdbc;

import dev.refrain.servers.PostgresServer;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Where tests keep their records. */
final class TestDatabases {

    private static final String SHARED = PostgresServer.shared().freshDatabase();

    private TestDatabases() {}

    /** An empty database on this run's server. */
    static DataSource freshPostgres() {
        return postgres(PostgresServer.shared().freshDatabase());
    }

    /**
     * The URL of a database that all who ask so share one after the other, emptied: making one takes longer than a
     * test.
     */
    static String emptiedPostgres() {
        new RawSql(postgres(SHARED)).execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
        return SHARED;
    }

    static DataSource postgres(String url) {
        var source = new PGSimpleDataSource();
        source.setUrl(url);
        return source;
    }
}
