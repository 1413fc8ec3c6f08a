package dev.refrain.servers;

import java.sql.DriverManager;
import java.sql.SQLException;
import org.postgresql.ds.PGSimpleDataSource;

/** Database role without any right of its own, on a fresh database, for tests of what an application's user may do. */
public final class LimitedPostgresUser implements AutoCloseable {

    private final String url;
    private final String name;

    private LimitedPostgresUser(String url, String name) {
        this.url = url;
        this.name = name;
    }

    /**
     * Creates a database and the role.
     *
     * @param name unique among the tests that share the server
     */
    public static LimitedPostgresUser create(PostgresServer server, String name) throws SQLException {
        var user = new LimitedPostgresUser(server.freshDatabase(), name);
        user.execute("DROP ROLE IF EXISTS " + name);
        user.execute("CREATE ROLE " + name);
        return user;
    }

    /** Runs statements as the owner of the database. */
    public void execute(String sql) throws SQLException {
        try (var connection = DriverManager.getConnection(url);
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Returns connections of the owner of the database. */
    public PGSimpleDataSource owner() {
        var source = new PGSimpleDataSource();
        source.setUrl(url);
        return source;
    }

    /** Returns connections with the rights of this role. */
    public PGSimpleDataSource limited() {
        var source = owner();
        source.setOptions("-c role=" + name);
        return source;
    }

    @Override
    public void close() throws SQLException {
        execute("DROP OWNED BY " + name);
        execute("DROP ROLE " + name);
    }
}
