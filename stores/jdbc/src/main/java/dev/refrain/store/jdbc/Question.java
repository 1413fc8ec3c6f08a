package dev.refrain.store.jdbc;

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
final class Question<Q> {

    /** Where the value of one parameter comes from. */
    record Parameter<Q>(Kind kind, Function<Q, @Nullable Object> value) {}

    private final String scriptName;
    private final Map<String, Parameter<Q>> parameters = new LinkedHashMap<>();

    private Question(String script) {
        this.scriptName = script;
    }

    static <Q> Question<Q> script(String script) {
        return new Question<>(script);
    }

    Question<Q> uuid(String name, Function<Q, @Nullable UUID> value) {
        return with(name, Kind.UUID, value);
    }

    Question<Q> text(String name, Function<Q, @Nullable String> value) {
        return with(name, Kind.TEXT, value);
    }

    Question<Q> bytes(String name, Function<Q, byte @Nullable []> value) {
        return with(name, Kind.BYTES, value);
    }

    Question<Q> number(String name, ToLongFunction<Q> value) {
        return with(name, Kind.NUMBER, value::applyAsLong);
    }

    Question<Q> nullableNumber(String name, Function<Q, @Nullable Long> value) {
        return with(name, Kind.NUMBER, value);
    }

    Question<Q> duration(String name, Function<Q, Duration> value) {
        return with(name, Kind.NUMBER, q -> micros(value.apply(q)));
    }

    Question<Q> flag(String name, Predicate<Q> value) {
        return with(name, Kind.FLAG, value::test);
    }

    /** All parameters of another question, asked of a part of this one. */
    <P> Question<Q> include(Question<P> other, Function<Q, P> part) {
        other.parameters.forEach((name, p) ->
                parameters.put(name, new Parameter<>(p.kind(), q -> p.value().apply(part.apply(q)))));
        return this;
    }

    String scriptName() {
        return scriptName;
    }

    Parameter<Q> parameter(String name) {
        return Objects.requireNonNull(
                parameters.get(name), () -> "Script " + scriptName + " asks for :" + name + ", which nobody gives.");
    }

    static long micros(Duration duration) {
        return Math.addExact(Math.multiplyExact(duration.getSeconds(), 1_000_000L), duration.getNano() / 1000);
    }

    static Duration durationOfMicros(long micros) {
        return Duration.of(micros, java.time.temporal.ChronoUnit.MICROS);
    }

    private Question<Q> with(String name, Kind kind, Function<Q, ? extends @Nullable Object> value) {
        parameters.put(name, new Parameter<>(kind, value::apply));
        return this;
    }
}
