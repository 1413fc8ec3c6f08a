package dev.refrain.store.jdbc.internal.sql;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the rows of a batch as a table {@code a}, in the way in which a dialect binds them: all at once as arrays or as JSON, or one at a
 * time.
 */
final class BatchRows {

    /** Rows of the batch, by the names of its parameters. */
    static final String ROWS = "rows";

    /** Rows that an earlier statement of the script picked, by the names of its columns: a table {@code p}, only as JSON. */
    static final String PICKED = "picked";

    private record Column(String name, String type) {}

    private BatchRows() {}

    /** @param columns names and types, as in {@code ledger text, amount bigint} */
    static String of(Dialect dialect, String source, String columns) {
        List<Column> all = Stream.of(columns.split(","))
                .map(column -> column.strip().split(" "))
                .map(words -> new Column(words[0], words[1]))
                .toList();
        if (dialect.bindsJson()) {
            return json(source, source.equals(ROWS) ? "a" : "p", all);
        }
        return dialect.bindsArrays()
                ? "unnest(" + join(all, c -> ":" + c.name() + "::" + c.type() + "[]") + ") AS a ("
                        + join(all, Column::name) + ")"
                : "(SELECT " + join(all, c -> ":" + c.name() + " AS " + c.name()) + ") AS a";
    }

    /** Everything but numbers comes in hexadecimal digits: a collation of the connection could make equal what is not. */
    private static String json(String source, String alias, List<Column> all) {
        return "(SELECT " + join(all, c -> value(c) + " AS `" + c.name() + "`") + " FROM JSON_TABLE(:" + source
                + ", '$[*]' COLUMNS (" + join(all, c -> "`" + c.name() + "` " + declared(c) + " ERROR ON ERROR")
                + ")) AS j) AS " + alias;
    }

    private static String value(Column column) {
        String raw = "j.`" + column.name() + "`";
        return switch (column.type()) {
            case "uuid", "text", "bytes" -> "UNHEX(" + raw + ")";
            default -> raw;
        };
    }

    private static String declared(Column column) {
        String type = switch (column.type()) {
            case "uuid" -> "VARCHAR(32)";
            case "text", "bytes" -> "MEDIUMTEXT";
            default -> "BIGINT";
        };
        return type + " PATH '$." + column.name() + "'";
    }

    private static String join(List<Column> columns, Function<Column, String> text) {
        return columns.stream().map(text).collect(Collectors.joining(", "));
    }
}
