package dev.refrain.store.jdbc.internal.schema;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/** Explains which privileges a database user lacks to create or use the tables, with the statements that grant them. */
final class MissingGrants {

    private MissingGrants() {}

    static StoreException explain(SqlSession session, SQLException cause) throws SQLException {
        var dialect = session.dialect();
        if (dialect.commitsSchemaChanges()) {
            return explainByDatabase(session, cause);
        }
        String user = dialect.quoted(text(session, "SELECT current_user"));
        String schema = session.scripts().schema().isEmpty()
                ? text(session, "SELECT coalesce(current_schema(), 'public')")
                : session.scripts().schema();
        String quoted = dialect.quoted(schema);
        boolean created = Boolean.parseBoolean(text(
                session,
                "SELECT EXISTS (SELECT FROM pg_tables WHERE tablename = 'refrain_meta' AND schemaname = '"
                        + schema.replace("'", "''") + "')::text"));
        boolean present = Boolean.parseBoolean(text(
                session,
                "SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = '" + schema.replace("'", "''") + "')::text"));
        String use = "GRANT USAGE ON SCHEMA " + quoted + " TO " + user + "; GRANT SELECT, INSERT, UPDATE, DELETE ON "
                + SchemaMigrator.TABLES.stream()
                        .map(table -> quoted + "." + table)
                        .collect(Collectors.joining(", "))
                + " TO " + user + ";";
        String create = present
                ? "GRANT USAGE, CREATE ON SCHEMA " + quoted + " TO " + user + ";"
                : "CREATE SCHEMA " + quoted + " AUTHORIZATION " + user + ";";
        return StoreException.permanent(
                "The database user " + user + " lacks a privilege on Refrain's tables in the schema " + quoted
                        + (created
                                ? ". Run as their owner, after `refrain migrate` if they are older than this code: "
                                        + use
                                : ". To have Refrain create them, run as an administrator: " + create
                                        + " Or create them as another user, and run: " + use),
                Effect.NONE,
                cause);
    }

    /** On MySQL and MariaDB, whose users are named with their host and whose schemas are databases. */
    private static StoreException explainByDatabase(SqlSession session, SQLException cause) throws SQLException {
        String user = userWithHost(session);
        String database = session.dialect().quoted(text(session, "SELECT DATABASE()"));
        return StoreException.permanent(
                "The database user " + user + " lacks a privilege on Refrain's tables in the database " + database
                        + ". To have Refrain create and use them, run as an administrator: GRANT CREATE, INDEX, SELECT,"
                        + " INSERT, UPDATE, DELETE ON " + database + ".* TO " + user
                        + "; If another user creates them, run: "
                        + use(session, tablesOfDatabase()),
                Effect.NONE,
                cause);
    }

    /** Returns the tables of MySQL and MariaDB. Nobody listens there, so nobody registers. */
    static List<String> tablesOfDatabase() {
        return SchemaMigrator.TABLES.stream()
                .filter(table -> !table.equals("refrain_waiter"))
                .toList();
    }

    /** Returns the statements that allow the user of this session all that a store does with these tables of MySQL or MariaDB. */
    static String use(SqlSession session, List<String> tables) throws SQLException {
        String user = userWithHost(session);
        String database = session.dialect().quoted(text(session, "SELECT DATABASE()"));
        return tables.stream()
                .map(table -> "GRANT SELECT, INSERT, UPDATE, DELETE ON " + database + "." + table + " TO " + user + ";")
                .collect(Collectors.joining(" "));
    }

    static String userWithHost(SqlSession session) throws SQLException {
        String name = text(session, "SELECT CURRENT_USER()");
        int host = name.lastIndexOf('@');
        return "'" + name.substring(0, host) + "'@'" + name.substring(host + 1) + "'";
    }

    private static String text(SqlSession session, String sql) throws SQLException {
        try (var statement = session.connection().createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
