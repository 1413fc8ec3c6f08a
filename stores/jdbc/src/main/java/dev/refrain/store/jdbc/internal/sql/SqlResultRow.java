package dev.refrain.store.jdbc.internal.sql;

import dev.refrain.api.KeyHash;
import dev.refrain.api.Payload;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Current row of a result, with columns read by name as types of the protocol. */
public record SqlResultRow(ResultSet rows, Dialect dialect) {

    public UUID uuid(String name) throws SQLException {
        return dialect.bindsArrays()
                ? present(name, rows.getObject(name, UUID.class))
                : SqlParameterType.uuidOf(present(name, rows.getBytes(name)));
    }

    public Optional<UUID> uuidIfAny(String name) throws SQLException {
        return rows.getObject(name) == null ? Optional.empty() : Optional.of(uuid(name));
    }

    public KeyHash lookup() throws SQLException {
        return KeyHash.of(uuid("lookup"));
    }

    public long number(String name) throws SQLException {
        return rows.getLong(name);
    }

    public OptionalLong numberIfAny(String name) throws SQLException {
        long number = rows.getLong(name);
        return rows.wasNull() ? OptionalLong.empty() : OptionalLong.of(number);
    }

    public boolean flag(String name) throws SQLException {
        return rows.getBoolean(name);
    }

    /** Returns true if a waiter is registered; the column is missing where nobody ever registers. */
    public boolean isAwaited() throws SQLException {
        return dialect.supportsNotifications() && flag("awaited");
    }

    public String text(String name) throws SQLException {
        return present(name, string(name));
    }

    public Optional<String> textIfAny(String name) throws SQLException {
        return Optional.ofNullable(string(name));
    }

    /** Where texts are stored as bytes, so that no collation takes one for another, they are UTF-8. */
    private @Nullable String string(String name) throws SQLException {
        if (!dialect.bindsJson()) {
            return rows.getString(name);
        }
        byte[] bytes = rows.getBytes(name);
        return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
    }

    public byte @Nullable [] bytesIfAny(String name) throws SQLException {
        return rows.getBytes(name);
    }

    public Optional<Payload> payload(String name) throws SQLException {
        return Optional.ofNullable(rows.getBytes(name)).map(Payload::of);
    }

    public Optional<Duration> optionalDuration(String name) throws SQLException {
        long micros = rows.getLong(name);
        return rows.wasNull() ? Optional.empty() : Optional.of(Duration.of(micros, ChronoUnit.MICROS));
    }

    public Instant instant(String name) throws SQLException {
        return Instant.EPOCH.plus(rows.getLong(name), ChronoUnit.MICROS);
    }

    public Optional<Instant> momentIfAny(String name) throws SQLException {
        long micros = rows.getLong(name);
        return rows.wasNull() ? Optional.empty() : Optional.of(Instant.EPOCH.plus(micros, ChronoUnit.MICROS));
    }

    private static <T> T present(String name, @Nullable T value) {
        return Objects.requireNonNull(value, () -> "Column " + name + " is empty where it never should be.");
    }
}
