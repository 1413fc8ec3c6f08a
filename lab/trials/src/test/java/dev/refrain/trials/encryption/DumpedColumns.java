package dev.refrain.trials.encryption;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Every value of every table of a store, as text in which words can be searched. */
public final class DumpedColumns {

    /** Base64 of the alphabet for URLs, and of the standard one. */
    private static final List<Pattern> ENCODED =
            List.of(Pattern.compile("[A-Za-z0-9_-]{16,}"), Pattern.compile("[A-Za-z0-9+/]{16,}"));

    private final Map<String, List<String>> valuesByColumn = new TreeMap<>();

    private DumpedColumns() {}

    public static DumpedColumns of(Connection connection) throws SQLException {
        var dump = new DumpedColumns();
        try (var tables =
                connection.getMetaData().getTables(connection.getCatalog(), null, "refrain%", new String[] {"TABLE"})) {
            var names = new ArrayList<String>();
            while (tables.next()) {
                names.add(tables.getString("TABLE_NAME"));
            }
            for (String table : names) {
                dump.read(connection, table);
            }
        }
        return dump;
    }

    private void read(Connection connection, String table) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT * FROM " + table)) {
            for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                valuesByColumn.put(table + "." + rows.getMetaData().getColumnName(i), new ArrayList<>());
            }
            while (rows.next()) {
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                    Object value = rows.getObject(i);
                    if (value != null) {
                        var values = valuesByColumn.get(
                                table + "." + rows.getMetaData().getColumnName(i));
                        values.add(withDecoded(
                                value instanceof byte[] bytes
                                        ? new String(bytes, StandardCharsets.ISO_8859_1)
                                        : value.toString()));
                    }
                }
            }
        }
    }

    /** Returns a text and, behind it, what its parts say if they are base64. */
    private static String withDecoded(String text) {
        var decoded = new StringBuilder(text);
        ENCODED.stream()
                .flatMap(encoded -> encoded.matcher(text).results())
                .map(found -> found.group().substring(0, found.group().length() / 4 * 4))
                .map(token -> token.replace('+', '-').replace('/', '_'))
                .map(token -> new String(Base64.getUrlDecoder().decode(token), StandardCharsets.ISO_8859_1))
                .forEach(said -> decoded.append('\n').append(said));
        return decoded.toString();
    }

    /** Returns all columns, also those without a value. */
    TreeSet<String> columns() {
        return new TreeSet<>(valuesByColumn.keySet());
    }

    /** Returns the tables that have no rows. */
    TreeSet<String> emptyTables() {
        var tables = new TreeSet<String>();
        valuesByColumn.keySet().forEach(column -> tables.add(table(column)));
        valuesByColumn.forEach((column, values) -> {
            if (!values.isEmpty()) {
                tables.remove(table(column));
            }
        });
        return tables;
    }

    private static String table(String column) {
        return column.substring(0, column.indexOf('.'));
    }

    /** Returns the values of a column that do not contain a word; none for a column that is not there. */
    List<String> valuesWithout(String column, String word) {
        return valuesByColumn.getOrDefault(column, List.of()).stream()
                .filter(value -> !value.contains(word))
                .toList();
    }

    /** Returns the columns that contain a word. */
    public TreeSet<String> columnsWith(String word) {
        var found = new TreeSet<String>();
        valuesByColumn.forEach((column, values) -> {
            if (values.stream().anyMatch(value -> value.contains(word))) {
                found.add(column);
            }
        });
        return found;
    }
}
