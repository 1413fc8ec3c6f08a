package dev.refrain.servers;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Creates empty databases on a server, and drops them again. */
final class ScratchDatabases {

    private static final String INSUFFICIENT_PRIVILEGE = "42501";

    private final PostgresUrl url;
    private final List<String> undo = new ArrayList<>();

    ScratchDatabases(PostgresUrl url) {
        this.url = url;
    }

    /** Creates an empty database, or a schema where the user may not create databases. */
    synchronized PostgresUrl fresh() {
        String name = "refrain_" + UUID.randomUUID().toString().replace("-", "");
        try (Connection connection = url.connect();
                Statement statement = connection.createStatement()) {
            try {
                statement.execute("CREATE DATABASE " + name);
                undo.add("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
                return url.withDatabase(name);
            } catch (SQLException e) {
                if (!INSUFFICIENT_PRIVILEGE.equals(e.getSQLState())) {
                    throw e;
                }
                statement.execute("CREATE SCHEMA " + name);
                undo.add("DROP SCHEMA IF EXISTS " + name + " CASCADE");
                return url.withSchema(name);
            }
        } catch (SQLException e) {
            throw new TestServerException("Could not create an empty database on " + url + ": " + e.getMessage(), e);
        }
    }

    synchronized void dropAll() {
        if (undo.isEmpty()) {
            return;
        }
        try (Connection connection = url.connect();
                Statement statement = connection.createStatement()) {
            for (String drop : undo) {
                statement.execute(drop);
            }
            undo.clear();
        } catch (SQLException e) {
            throw new TestServerException(
                    "Could not drop the databases that were created on " + url + " for tests.", e);
        }
    }

    String version() {
        try (Connection connection = url.connect()) {
            return connection.getMetaData().getDatabaseProductVersion();
        } catch (SQLException e) {
            throw new TestServerException("Could not ask " + url + " for its version: " + e.getMessage(), e);
        }
    }
}
