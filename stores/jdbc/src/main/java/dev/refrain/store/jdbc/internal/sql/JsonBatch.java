package dev.refrain.store.jdbc.internal.sql;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a batch as a JSON array of objects, which a statement reads by {@code JSON_TABLE}. What is absent is left out; all but numbers is
 * written in hexadecimal digits, so that nothing has to be escaped.
 */
final class JsonBatch {

    /** No row at all. */
    static final String NONE = "[]";

    private static final HexFormat HEX = HexFormat.of();

    private final StringBuilder json = new StringBuilder("[");
    private boolean inRow;

    private JsonBatch() {}

    /** Writes these parameters of each row. */
    static <Q> String of(ParameterizedScript<Q> question, List<String> members, List<Q> rows) {
        var batch = new JsonBatch();
        for (Q row : rows) {
            batch.beginRow();
            for (String member : members) {
                batch.put(member, question.parameter(member).value().apply(row));
            }
            batch.endRow();
        }
        return batch.end();
    }

    /** Writes all columns of all rows of a result. */
    static String of(ResultSet rows) throws SQLException {
        var columns = rows.getMetaData();
        var batch = new JsonBatch();
        while (rows.next()) {
            batch.beginRow();
            for (int i = 1; i <= columns.getColumnCount(); i++) {
                batch.put(columns.getColumnLabel(i), value(rows, i, columns.getColumnType(i)));
            }
            batch.endRow();
        }
        return batch.end();
    }

    private static @Nullable Object value(ResultSet rows, int index, int type) throws SQLException {
        return switch (type) {
            case Types.BIT, Types.BOOLEAN, Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT, Types.DECIMAL ->
                number(rows, index);
            default -> rows.getBytes(index);
        };
    }

    private static @Nullable Long number(ResultSet rows, int index) throws SQLException {
        Long number = rows.getLong(index);
        return rows.wasNull() ? null : number;
    }

    private void beginRow() {
        json.append(json.length() > 1 ? ",{" : "{");
        inRow = false;
    }

    private void endRow() {
        json.append('}');
    }

    private String end() {
        return json.append(']').toString();
    }

    private void put(String name, @Nullable Object value) {
        if (value == null) {
            return;
        }
        json.append(inRow ? "," : "").append('"').append(name).append("\":");
        inRow = true;
        switch (value) {
            case Boolean flag -> json.append(flag ? 1 : 0);
            case Number number -> json.append(number.longValue());
            case UUID uuid -> putHex(SqlParameterType.bytesOf(uuid));
            case String text -> putHex(text.getBytes(StandardCharsets.UTF_8));
            case byte[] bytes -> putHex(bytes);
            default -> throw new IllegalArgumentException("No column has the type " + value.getClass());
        }
    }

    private void putHex(byte[] bytes) {
        String hex = HEX.formatHex(bytes);
        json.append('"').append(hex).append('"');
    }
}
