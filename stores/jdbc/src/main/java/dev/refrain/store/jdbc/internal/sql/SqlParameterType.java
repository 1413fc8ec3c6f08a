package dev.refrain.store.jdbc.internal.sql;

import java.nio.ByteBuffer;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Types of values bound to statements. Durations are bound as microseconds. */
enum SqlParameterType {
    UUID("uuid", Types.OTHER),
    TEXT("text", Types.VARCHAR),
    BYTES("bytea", Types.BINARY),
    NUMBER("int8", Types.BIGINT),
    FLAG("bool", Types.BOOLEAN);

    private final String arrayElement;
    private final int jdbcType;

    SqlParameterType(String arrayElement, int jdbcType) {
        this.arrayElement = arrayElement;
        this.jdbcType = jdbcType;
    }

    /** Creates an array for {@code count} values, of the element type that the driver sends in binary. */
    @Nullable
    Object[] array(int count) {
        return switch (this) {
            case UUID -> new UUID[count];
            case TEXT -> new String[count];
            case BYTES -> new byte[count][];
            case NUMBER -> new Long[count];
            case FLAG -> new Boolean[count];
        };
    }

    void bindArray(PreparedStatement statement, int index, @Nullable Object[] values) throws SQLException {
        var connection = statement.getConnection();
        statement.setArray(
                index,
                this == UUID
                        ? BinaryUuidArray.of(connection, (UUID[]) values)
                        : connection.createArrayOf(arrayElement, values));
    }

    void bind(PreparedStatement statement, int index, @Nullable Object value, boolean uuidAsBytes) throws SQLException {
        if (value == null) {
            statement.setNull(index, jdbcType);
        } else if (this == UUID && uuidAsBytes) {
            statement.setBytes(index, bytesOf((UUID) value));
        } else {
            switch (this) {
                case UUID -> statement.setObject(index, value);
                case TEXT -> statement.setString(index, (String) value);
                case BYTES -> statement.setBytes(index, (byte[]) value);
                case NUMBER -> statement.setLong(index, (Long) value);
                case FLAG -> statement.setBoolean(index, (Boolean) value);
            }
        }
    }

    /** Reads a column as what {@link #bind} was given for it. */
    Object read(ResultSet rows, int index) throws SQLException {
        return switch (this) {
            case UUID -> uuidOf(rows.getBytes(index));
            case NUMBER -> rows.getLong(index);
            case TEXT -> rows.getString(index);
            case BYTES, FLAG -> throw new IllegalStateException("No row is named by a " + this);
        };
    }

    /** Converts to sixteen bytes in the order in which PostgreSQL compares UUIDs. */
    static byte[] bytesOf(UUID uuid) {
        return ByteBuffer.allocate(16)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array();
    }

    static UUID uuidOf(byte[] bytes) {
        var buffer = ByteBuffer.wrap(bytes);
        return new UUID(buffer.getLong(), buffer.getLong());
    }
}
