package dev.refrain.store.jdbc.internal.sql;

import java.nio.ByteBuffer;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.Oid;
import org.postgresql.jdbc.PgArray;

/**
 * Array of UUIDs in binary format. The driver would send it as text, which costs 3 µs per call of two keys; it sends every other
 * array in binary, and accepts a prepared binary one.
 */
final class BinaryUuidArray {

    private static final int DIMENSIONS = 1;
    private static final int NULL_LENGTH = -1;
    private static final int FIRST_INDEX = 1;
    private static final int HEADER_BYTES = 5 * Integer.BYTES;
    private static final int UUID_BYTES = 2 * Long.BYTES;

    private BinaryUuidArray() {}

    /** Creates a binary array if the connection is, or wraps, one of the PostgreSQL driver; otherwise as the driver does. */
    static Array of(Connection connection, @Nullable UUID[] values) throws SQLException {
        try {
            if (connection.isWrapperFor(BaseConnection.class)) {
                return new PgArray(connection.unwrap(BaseConnection.class), Oid.UUID_ARRAY, binary(values));
            }
        } catch (LinkageError anotherDriver) {
            // The PostgreSQL driver is not on the class path: text will do.
        }
        return connection.createArrayOf("uuid", values);
    }

    private static byte[] binary(@Nullable UUID[] values) {
        int nulls = 0;
        for (var value : values) {
            nulls += value == null ? 1 : 0;
        }
        if (values.length == 0) {
            return ByteBuffer.allocate(3 * Integer.BYTES)
                    .putInt(0)
                    .putInt(0)
                    .putInt(Oid.UUID)
                    .array();
        }
        var bytes = ByteBuffer.allocate(
                        HEADER_BYTES + values.length * Integer.BYTES + (values.length - nulls) * UUID_BYTES)
                .putInt(DIMENSIONS)
                .putInt(nulls == 0 ? 0 : 1)
                .putInt(Oid.UUID)
                .putInt(values.length)
                .putInt(FIRST_INDEX);
        for (var value : values) {
            if (value == null) {
                bytes.putInt(NULL_LENGTH);
            } else {
                bytes.putInt(UUID_BYTES)
                        .putLong(value.getMostSignificantBits())
                        .putLong(value.getLeastSignificantBits());
            }
        }
        return bytes.array();
    }
}
