package dev.refrain.store.jdbc;

import dev.refrain.servers.PostgresServer;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Where tests keep their records. */
final class TestDatabases {

    private TestDatabases() {}

    /** An empty database on this run's server. */
    static DataSource freshPostgres() {
        return postgres(PostgresServer.shared().freshDatabase());
    }

    static DataSource postgres(String url) {
        var source = new PGSimpleDataSource();
        source.setUrl(url);
        return source;
    }
}
