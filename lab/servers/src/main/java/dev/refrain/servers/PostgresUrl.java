package dev.refrain.servers;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.stream.Stream;

/** JDBC URL in parts, to name another database or schema on the same server. */
record PostgresUrl(String server, String database, String parameters) {

    private static final String PREFIX = "jdbc:postgresql://";

    static PostgresUrl parse(String url) {
        int path = url.indexOf('/', PREFIX.length());
        if (!url.startsWith(PREFIX) || path < 0) {
            // The URL may hold a password: it is not repeated.
            throw new TestServerException("The PostgreSQL URL given for tests doesn't have the form " + PREFIX
                    + "host:port/database?user=…&password=…");
        }
        int query = url.indexOf('?', path);
        return query < 0
                ? new PostgresUrl(url.substring(0, path), url.substring(path + 1), "")
                : new PostgresUrl(url.substring(0, path), url.substring(path + 1, query), url.substring(query + 1));
    }

    PostgresUrl withDatabase(String name) {
        return new PostgresUrl(server, name, parameters);
    }

    PostgresUrl withSchema(String name) {
        String schema = "currentSchema=" + name;
        return new PostgresUrl(server, database, parameters.isEmpty() ? schema : parameters + "&" + schema);
    }

    /** Returns the URL of this database on whichever of the two servers takes writes. */
    PostgresUrl orAt(PostgresUrl other) {
        String either = server + "," + other.server.substring(PREFIX.length());
        return new PostgresUrl(
                either, database, parameters + "&targetServerType=primary&hostRecheckSeconds=1&connectTimeout=2");
    }

    /** Returns a parameter that is there. */
    String parameter(String name) {
        return Stream.of(parameters.split("&"))
                .filter(each -> each.startsWith(name + "="))
                .findFirst()
                .map(each -> each.substring(name.length() + 1))
                .orElseThrow(() -> new TestServerException("The URL of " + this + " has no " + name + "."));
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(text());
    }

    String text() {
        return server + "/" + database + (parameters.isEmpty() ? "" : "?" + parameters);
    }

    /** Returns the URL without its parameters, which may hold a password. */
    @Override
    public String toString() {
        return server + "/" + database;
    }
}
