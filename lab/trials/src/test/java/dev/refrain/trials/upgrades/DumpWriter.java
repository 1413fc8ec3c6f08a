package dev.refrain.trials.upgrades;

import dev.refrain.store.jdbc.SchemaScript;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes tables and rows as SQL text that any JDBC driver takes: one statement for each row, no statement that ends within a line.
 *
 * <p>The tables are those of the store's own script; what the script itself puts there comes with the other rows.
 */
final class DumpWriter {

    private final EmptyDatabase database;
    private final Connection connection;
    private final boolean postgres;

    private DumpWriter(EmptyDatabase database, Connection connection) {
        this.database = database;
        this.connection = connection;
        this.postgres = database.dialect().equals("postgresql");
    }

    static String text(EmptyDatabase database) throws SQLException {
        try (var connection = database.source().getConnection()) {
            return new DumpWriter(database, connection).text();
        }
    }

    /** Columns, indexes and constraints, one a line: to compare what was loaded with what was dumped. */
    static List<String> shape(EmptyDatabase database) throws SQLException {
        try (var connection = database.source().getConnection()) {
            var writer = new DumpWriter(database, connection);
            return writer.postgres ? writer.texts("""
                            SELECT table_name || '.' || column_name || ' ' || coalesce(domain_name, data_type) || ' ' || is_nullable
                                || ' ' || is_identity || ' ' || coalesce(column_default, '') || ' ' || coalesce(collation_name, '')
                            FROM information_schema.columns WHERE table_schema = current_schema()
                            UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema()
                            UNION ALL SELECT conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
                                WHERE connamespace = current_schema()::regnamespace
                            UNION ALL SELECT relname || ' ' || coalesce(reloptions::text, '') FROM pg_class
                                WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
                            UNION ALL SELECT c.relname || '.' || a.attname || ' ' || a.attstorage::text FROM pg_attribute a
                                JOIN pg_class c ON c.oid = a.attrelid AND c.relnamespace = current_schema()::regnamespace
                                WHERE c.relkind = 'r' AND a.attnum > 0
                            ORDER BY 1""") : writer.texts("""
                            SELECT m.name || '.' || c.name || ' ' || c.type || ' ' || c."notnull" || ' ' || coalesce(c.dflt_value, '')
                                || ' ' || c.pk
                            FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'
                            UNION ALL SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY 1""");
        }
    }

    private String text() throws SQLException {
        if (postgres) {
            execute("SET TIME ZONE 'UTC'");
        }
        var tables = tables();
        var text = new StringBuilder()
                .append(
                        "-- Tables and rows as they were written by the version that the folder names. Never to be changed.\n")
                .append(OldDump.WRITTEN)
                .append(Instant.ofEpochMilli(database.now(connection)))
                .append('\n')
                .append(OldDump.TIMES)
                .append(times(tables))
                .append('\n')
                .append(script());
        appendOtherIndexes(text);
        for (String table : tables) {
            appendRows(text, table);
        }
        appendSequences(text);
        return text.toString();
    }

    /** Without its comments, and without what it writes into the tables. */
    private String script() {
        String uncommented = SchemaScript.of(database.dialect())
                .text()
                .lines()
                .filter(line -> !line.isBlank() && !line.strip().startsWith("--"))
                .collect(Collectors.joining("\n", "", "\n"));
        return Stream.of(uncommented.split(";\n"))
                .filter(statement -> !statement.matches("(?s)(INSERT|UPDATE) .*"))
                .collect(Collectors.joining(";\n", "", ";\n"));
    }

    /** Made on demand, such as the one for those who browse. */
    private void appendOtherIndexes(StringBuilder text) throws SQLException {
        String script = script();
        for (String index : texts(
                postgres
                        ? "SELECT replace(indexdef, current_schema() || '.', '') FROM pg_indexes WHERE schemaname = current_schema() ORDER BY 1"
                        : "SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY 1")) {
            String name = index.replaceAll("^CREATE( UNIQUE)? INDEX (\\w+)(?s:.*)$", "$2");
            if (!script.contains(name)) {
                text.append(index).append(";\n");
            }
        }
    }

    private List<String> tables() throws SQLException {
        return texts(
                postgres
                        ? "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1"
                        : "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY 1");
    }

    private List<String> columns(String table) throws SQLException {
        return texts(
                postgres
                        ? "SELECT column_name FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = '"
                                + table + "' ORDER BY ordinal_position"
                        : "SELECT name FROM pragma_table_info('" + table + "') ORDER BY cid");
    }

    /** SQLite has no type for them: there they go by their names. */
    private String times(List<String> tables) throws SQLException {
        if (postgres) {
            return String.join(" ", texts("""
                    SELECT table_name || '.' || column_name FROM information_schema.columns
                    WHERE table_schema = current_schema() AND data_type = 'timestamp with time zone' ORDER BY 1"""));
        }
        var times = new ArrayList<String>();
        for (String table : tables) {
            columns(table).stream()
                    .filter(column -> column.matches("at|since|moment|.*_at|.*_until"))
                    .forEach(column -> times.add(table + "." + column));
        }
        return String.join(" ", times);
    }

    private void appendRows(StringBuilder text, String table) throws SQLException {
        var columns = columns(table);
        String literals = columns.stream()
                .map(column -> (postgres ? "quote_nullable(" : "quote(") + column + ")")
                .collect(Collectors.joining(" || ', ' || "));
        String head = "INSERT INTO " + table + " (" + String.join(", ", columns) + ")"
                + (postgres ? " OVERRIDING SYSTEM VALUE" : "") + " VALUES (";
        var rows = texts("SELECT " + literals + " FROM " + table + " ORDER BY 1");
        for (String row : rows) {
            if (row.indexOf('\n') >= 0) {
                throw new IllegalStateException("A row of " + table + " has more than one line: " + row);
            }
            text.append(head).append(row).append(");\n");
        }
    }

    /** What was numbered last, although its row may be gone. */
    private void appendSequences(StringBuilder text) throws SQLException {
        if (postgres) {
            for (String column : texts("""
                    SELECT '''' || table_name || ''', ''' || column_name || '''' FROM information_schema.columns
                    WHERE table_schema = current_schema() AND is_identity = 'YES' ORDER BY 1""")) {
                String sequence = "pg_get_serial_sequence(" + column + ")";
                String name = texts("SELECT " + sequence).getFirst();
                String last = texts("SELECT last_value || ', ' || is_called FROM " + name)
                        .getFirst();
                text.append("SELECT setval(")
                        .append(sequence)
                        .append(", ")
                        .append(last)
                        .append(");\n");
            }
        } else {
            text.append("DELETE FROM sqlite_sequence;\n");
            appendRows(text, "sqlite_sequence");
        }
    }

    private void execute(String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private List<String> texts(String sql) throws SQLException {
        try (var statement = connection.createStatement();
                var result = statement.executeQuery(sql)) {
            var all = new ArrayList<String>();
            while (result.next()) {
                all.add(result.getString(1));
            }
            return all;
        }
    }
}
