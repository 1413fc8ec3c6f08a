package dev.refrain.store.jdbc.internal.sql;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A named script and where the values of its parameters come from. The same question is put to every database; only the
 * script differs.
 *
 * @param <Q> one row of the question
 */
public final class ParameterizedScript<Q> {

    /** Where the value of one parameter comes from. */
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

    public ParameterizedScript<Q> bytes(String name, Function<Q, byte @Nullable []> value) {
        return with(name, SqlParameterType.BYTES, value);
    }

    public ParameterizedScript<Q> number(String name, ToLongFunction<Q> value) {
        return with(name, SqlParameterType.NUMBER, value::applyAsLong);
    }

    public ParameterizedScript<Q> nullableNumber(String name, Function<Q, @Nullable Long> value) {
        return with(name, SqlParameterType.NUMBER, value);
    }

    public ParameterizedScript<Q> duration(String name, Function<Q, Duration> value) {
        return with(name, SqlParameterType.NUMBER, q -> micros(value.apply(q)));
    }

    public ParameterizedScript<Q> flag(String name, Predicate<Q> value) {
        return with(name, SqlParameterType.FLAG, value::test);
    }

    /** All parameters of another question, asked of a part of this one. */
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
                parameters.get(name), () -> "Script " + scriptName + " asks for :" + name + ", which nobody gives.");
    }

    public static long micros(Duration duration) {
        return Math.addExact(Math.multiplyExact(duration.getSeconds(), 1_000_000L), duration.getNano() / 1000);
    }

    public static Duration durationOfMicros(long micros) {
        return Duration.of(micros, java.time.temporal.ChronoUnit.MICROS);
    }

    private ParameterizedScript<Q> with(
            String name, SqlParameterType kind, Function<Q, ? extends @Nullable Object> value) {
        parameters.put(name, new Parameter<>(kind, value::apply));
        return this;
    }
}
