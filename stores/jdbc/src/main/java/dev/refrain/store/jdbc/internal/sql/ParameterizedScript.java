package dev.refrain.store.jdbc.internal.sql;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Named script with the sources of its parameters. All databases share the parameters; only the script differs.
 *
 * @param <Q> type of one row of input
 */
public final class ParameterizedScript<Q> {

    /** Source of one parameter's value. */
    record Parameter<Q>(SqlParameterType kind, Function<Q, @Nullable Object> value) {}

    private final String scriptName;
    private final Map<String, Parameter<Q>> parameters = new LinkedHashMap<>();

    private ParameterizedScript(String script) {
        this.scriptName = script;
    }

    public static <Q> ParameterizedScript<Q> script(String script) {
        return new ParameterizedScript<>(script);
    }

    public ParameterizedScript<Q> uuid(String name, Function<Q, @Nullable UUID> value) {
        return with(name, SqlParameterType.UUID, value);
    }

    public ParameterizedScript<Q> text(String name, Function<Q, @Nullable String> value) {
        return with(name, SqlParameterType.TEXT, value);
    }

    /** Text that people read, or by which they search: a NUL, which PostgreSQL keeps in no text, is replaced. */
    public ParameterizedScript<Q> note(String name, Function<Q, @Nullable String> value) {
        return text(name, q -> {
            String text = value.apply(q);
            return text == null ? null : text.replace('\0', '\uFFFD');
        });
    }

    public ParameterizedScript<Q> bytes(String name, Function<Q, byte @Nullable []> value) {
        return with(name, SqlParameterType.BYTES, value);
    }

    public ParameterizedScript<Q> number(String name, ToLongFunction<Q> value) {
        return with(name, SqlParameterType.NUMBER, value::applyAsLong);
    }

    public ParameterizedScript<Q> nullableNumber(String name, Function<Q, @Nullable Long> value) {
        return with(name, SqlParameterType.NUMBER, value);
    }

    public ParameterizedScript<Q> optionalNumber(String name, Function<Q, OptionalLong> value) {
        return nullableNumber(name, q -> {
            var number = value.apply(q);
            return number.isPresent() ? number.getAsLong() : null;
        });
    }

    public ParameterizedScript<Q> duration(String name, Function<Q, Duration> value) {
        return with(name, SqlParameterType.NUMBER, q -> micros(value.apply(q)));
    }

    public ParameterizedScript<Q> flag(String name, Predicate<Q> value) {
        return with(name, SqlParameterType.FLAG, value::test);
    }

    /** Includes all parameters of another script, applied to a part of this one's input. */
    public <P> ParameterizedScript<Q> include(ParameterizedScript<P> other, Function<Q, P> part) {
        other.parameters.forEach((name, p) ->
                parameters.put(name, new Parameter<>(p.kind(), q -> p.value().apply(part.apply(q)))));
        return this;
    }

    public String scriptName() {
        return scriptName;
    }

    public Parameter<Q> parameter(String name) {
        return Objects.requireNonNull(
                parameters.get(name),
                () -> "Script " + scriptName + " uses :" + name
                        + ", which has no value. Add it to the script's parameters.");
    }

    public static long micros(Duration duration) {
        return Math.addExact(Math.multiplyExact(duration.getSeconds(), 1_000_000L), duration.getNano() / 1000);
    }

    /** Converts to microseconds since the epoch, the format of stored times. */
    public static long micros(Instant moment) {
        return Instant.EPOCH.until(moment, ChronoUnit.MICROS);
    }

    public static Duration durationOfMicros(long micros) {
        return Duration.of(micros, ChronoUnit.MICROS);
    }

    private ParameterizedScript<Q> with(
            String name, SqlParameterType kind, Function<Q, ? extends @Nullable Object> value) {
        parameters.put(name, new Parameter<>(kind, value::apply));
        return this;
    }
}
