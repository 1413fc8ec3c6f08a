package dev.refrain.store.jdbc.internal.sql;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the rows of a batch as a table {@code a}, in the way in which a dialect binds them: all at once as arrays, or one at a time.
 */
final class BatchRows {

    private record Column(String name, String type) {}

    private BatchRows() {}

    /** @param columns names and types, as in {@code ledger text, amount bigint} */
    static String of(Dialect dialect, String columns) {
        List<Column> all = Stream.of(columns.split(","))
                .map(column -> column.strip().split(" "))
                .map(words -> new Column(words[0], words[1]))
                .toList();
        return dialect.bindsArrays()
                ? "unnest(" + join(all, c -> ":" + c.name() + "::" + c.type() + "[]") + ") AS a ("
                        + join(all, Column::name) + ")"
                : "(SELECT " + join(all, c -> ":" + c.name() + " AS " + c.name()) + ") AS a";
    }

    private static String join(List<Column> columns, Function<Column, String> text) {
        return columns.stream().map(text).collect(Collectors.joining(", "));
    }
}
