package dev.refrain.store.cas;

import dev.refrain.api.Payload;
import dev.refrain.store.RowRejectedException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Named values of a stored record: texts, whole numbers, bytes and lists of texts. Moments and durations are microseconds. Not thread-safe. */
final class RecordFields {

    private static final long NANOS_PER_MICRO = 1_000;

    private final Map<String, Object> values;

    RecordFields(Map<String, Object> values) {
        this.values = values;
    }

    static RecordFields empty() {
        return new RecordFields(new TreeMap<>());
    }

    Map<String, Object> values() {
        return values;
    }

    RecordFields put(String name, @Nullable Object value) {
        if (value != null) {
            values.put(name, value);
        }
        return this;
    }

    RecordFields mark(String name, boolean set) {
        return put(name, set ? 1L : null);
    }

    RecordFields moment(String name, @Nullable Instant moment) {
        return put(name, moment == null ? null : micros(moment));
    }

    /** Rounds up: a lease never ends early. */
    RecordFields duration(String name, Duration time) {
        return put(name, Math.ceilDiv(time.toNanos(), NANOS_PER_MICRO));
    }

    RecordFields payload(String name, Optional<Payload> payload) {
        return put(name, payload.map(Payload::bytes).orElse(null));
    }

    static long micros(Instant moment) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, moment);
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    Optional<String> text(String name) {
        return Optional.ofNullable(values.get(name)).map(String.class::cast);
    }

    String requiredText(String name) {
        return text(name).orElseThrow(() -> damaged(name));
    }

    UUID uuid(String name) {
        return UUID.fromString(requiredText(name));
    }

    Optional<Long> number(String name) {
        return Optional.ofNullable(values.get(name)).map(Long.class::cast);
    }

    long requiredNumber(String name) {
        return number(name).orElseThrow(() -> damaged(name));
    }

    Optional<Instant> moment(String name) {
        return number(name).map(micros -> Instant.EPOCH.plus(micros, ChronoUnit.MICROS));
    }

    Duration duration(String name) {
        return Duration.of(requiredNumber(name), ChronoUnit.MICROS);
    }

    Optional<byte[]> bytes(String name) {
        return Optional.ofNullable(values.get(name)).map(byte[].class::cast);
    }

    Optional<Payload> payload(String name) {
        return bytes(name).map(Payload::of);
    }

    List<String> texts(String name) {
        return values.get(name) instanceof List<?> list
                ? list.stream().map(String.class::cast).toList()
                : List.of();
    }

    private static RowRejectedException damaged(String name) {
        return RowRejectedException.badData(
                "A stored record has no field \"" + name + "\": it is damaged, or something else wrote it.", null);
    }
}
