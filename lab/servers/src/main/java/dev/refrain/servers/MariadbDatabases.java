package dev.refrain.servers;

import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Creates empty databases on a server, and drops them again. */
final class MariadbDatabases {

    private final String server;
    private final String parameters;
    private final List<String> created = new ArrayList<>();

    /**
     * Creates it.
     *
     * @param server the URL up to the name of a database
     * @param parameters user and password
     */
    MariadbDatabases(String server, String parameters) {
        this.server = server;
        this.parameters = parameters;
    }

    synchronized String fresh() {
        String name = "refrain_" + UUID.randomUUID().toString().replace("-", "");
        execute("CREATE DATABASE " + name + " CHARACTER SET utf8mb4");
        created.add(name);
        return urlOf(name);
    }

    String urlOf(String database) {
        return server + database + "?" + parameters;
    }

    /** Returns what the second column of a row, or its only one, says; a server that does not answer is left soon. */
    String ask(String sql) throws SQLException {
        try (var connection = DriverManager.getConnection(urlOf("") + "&connectTimeout=1000&socketTimeout=5000");
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getString(rows.getMetaData().getColumnCount()) : "";
        }
    }

    synchronized void dropAll() {
        created.forEach(name -> execute("DROP DATABASE IF EXISTS " + name));
        created.clear();
    }

    String urlFor(String database, String user, String password) {
        return server + database + "?user=" + user + "&password=" + password;
    }

    /** A server that has bound its port and does not answer yet is asked again soon: the driver alone would wait for half a minute. */
    boolean isReachable() {
        try (var connection = DriverManager.getConnection(urlOf("") + "&connectTimeout=1000&socketTimeout=1000")) {
            return connection.isValid(1);
        } catch (SQLException e) {
            return false;
        }
    }

    private void execute(String sql) {
        try (var connection = DriverManager.getConnection(urlOf(""));
                var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new TestServerException("The MariaDB for tests rejected " + sql + ": " + e.getMessage(), e);
        }
    }
}
