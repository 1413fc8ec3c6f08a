package dev.refrain.store.jdbc.internal.sql;

import java.nio.ByteBuffer;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.Oid;
import org.postgresql.jdbc.PgArray;

/**
 * Arrays of UUIDs. The driver writes them as text, which its own side has to make and the server to read: three microseconds a
 * call of two keys. Every other array it sends in binary, and takes this one so if it is made for it.
 */
final class BinaryUuidArray {

    private static final int DIMENSIONS = 1;
    private static final int NO_NULLS = 0;
    private static final int FIRST_INDEX = 1;
    private static final int HEADER_BYTES = 5 * Integer.BYTES;
    private static final int UUID_BYTES = 2 * Long.BYTES;

    private BinaryUuidArray() {}

    /** In binary if the connection is the usual driver's, or wraps one; otherwise as the driver at hand does it. */
    static Array of(Connection connection, UUID[] values) throws SQLException {
        try {
            if (connection.isWrapperFor(BaseConnection.class)) {
                return new PgArray(connection.unwrap(BaseConnection.class), Oid.UUID_ARRAY, binary(values));
            }
        } catch (LinkageError anotherDriver) {
            // There is no such class: text will do.
        }
        return connection.createArrayOf("uuid", values);
    }

    private static byte[] binary(UUID[] values) {
        var bytes = ByteBuffer.allocate(HEADER_BYTES + values.length * (Integer.BYTES + UUID_BYTES))
                .putInt(DIMENSIONS)
                .putInt(NO_NULLS)
                .putInt(Oid.UUID)
                .putInt(values.length)
                .putInt(FIRST_INDEX);
        for (var value : values) {
            bytes.putInt(UUID_BYTES).putLong(value.getMostSignificantBits()).putLong(value.getLeastSignificantBits());
        }
        return bytes.array();
    }
}
