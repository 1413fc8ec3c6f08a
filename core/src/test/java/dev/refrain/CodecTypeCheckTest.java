package dev.refrain;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.io.InputStream;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Types that a codec can never write or read are found by asking it once, and no others. */
class CodecTypeCheckTest {

    public interface Shape {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    public interface NamedShape {}

    /** Written by its getter; there is nothing to read it with. */
    public static final class Unreadable {
        private final String text;

        private Unreadable(String text, int times) {
            this.text = text.repeat(times);
        }

        public static Unreadable twice(String text) {
            return new Unreadable(text, 2);
        }

        public String getText() {
            return text;
        }
    }

    public record Money(long cents) {
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        public Money {}
    }

    public record Order(UUID id, @Nullable String note, List<Money> prices, Map<String, Long> times, String[] tags) {
        public Order {
            Objects.requireNonNull(id);
        }
    }

    public record Nested(
            Order order, List<Nested> children, @JsonIgnore InputStream raw, NamedShape shape) {}

    public record Generic<T>(T value) {}

    public record HoldsUnreadable(List<Unreadable> parts) {}

    public record HoldsStream(String name, InputStream body) {}

    public static final class Nothing {}

    public record Dated(Instant time, Optional<String> note) {}

    enum Colour {
        RED
    }

    static final List<Type> STORABLE = List.of(
            String.class,
            byte[].class,
            Object.class,
            Void.class,
            Long.class,
            Colour.class,
            Colour[].class,
            Map.class,
            Order.class,
            Nested.class,
            Generic.class,
            Nothing.class,
            new ResultType<List<Order>>() {}.type(),
            new ResultType<Generic<Order>[]>() {}.type());

    static final List<Type> NOT_STORABLE = List.of(
            Unreadable.class,
            Unreadable[].class,
            HoldsUnreadable.class,
            HoldsStream.class,
            Shape.class,
            InputStream.class,
            Supplier.class,
            CompletableFuture.class,
            new ResultType<List<Unreadable>>() {}.type(),
            new ResultType<Generic<Unreadable>>() {}.type());

    /** Jackson 2 needs modules for these; without the check that shows at the first replay. */
    @Test
    void typeThatNeedsAModuleOfTheLibraryIsRefusedWithItsName() {
        new CodecTypeCheck(Jackson3ValueCodec.standard()).requireStorable(Dated.class, "Cannot run orders");
        assertThatThrownBy(() -> new CodecTypeCheck(Jackson2ValueCodec.standard())
                        .requireStorable(Dated.class, "Cannot run orders"))
                .hasMessageContaining("add Module \"com.fasterxml.jackson.datatype:jackson-datatype-");
    }

    static List<ValueCodec> codecs() {
        return List.of(Jackson3ValueCodec.standard(), Jackson2ValueCodec.standard());
    }

    @ParameterizedTest
    @FieldSource("STORABLE")
    void typeThatSomeValuesCanBeStoredOfIsAccepted(Type type) {
        for (var codec : codecs()) {
            assertThatCode(() -> new CodecTypeCheck(codec).requireStorable(type, "Cannot run orders"))
                    .as("%s", codec)
                    .doesNotThrowAnyException();
        }
    }

    @ParameterizedTest
    @FieldSource("NOT_STORABLE")
    void typeOfWhichNoValueCanBeStoredIsRefusedWithItsReason(Type type) {
        for (var codec : codecs()) {
            assertThatThrownBy(() -> new CodecTypeCheck(codec).requireStorable(type, "Cannot run orders"))
                    .as("%s", codec)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("Cannot run orders: a " + type.getTypeName() + " cannot be stored: ")
                    .hasMessageContaining("Use a record");
        }
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void typeWithoutPropertiesIsStoredAndNotCompared(ValueCodec codec) {
        var check = new CodecTypeCheck(codec);
        check.requireStorable(Nothing.class, "Cannot run ticks");
        assertThatThrownBy(() -> check.requireComparable(Nothing.class, "Cannot run ticks"))
                .hasMessageContaining("cannot be compared")
                .hasMessageContaining("no properties");
        assertThatCode(() -> check.requireComparable(Order.class, "Cannot run orders"))
                .doesNotThrowAnyException();
    }

    @Test
    void withoutJsonOnlyTextAndBytesAreStoredAndTheDependencyIsNamed() {
        var check = new CodecTypeCheck(new TextOrBytesCodec());
        check.requireComparable(String.class, "Cannot run orders");
        check.requireComparable(byte[].class, "Cannot run orders");
        assertThatThrownBy(() -> check.requireStorable(Order.class, "Cannot run orders"))
                .hasMessageContaining("<artifactId>jackson-databind</artifactId>");
    }

    /** A codec that knows nothing of JSON refuses the empty object in its own words, which say nothing of the type. */
    @Test
    void typesOfAnotherFormatAreLeftToItsCodec() {
        var lengthPrefixed = new ValueCodec() {
            @Override
            public byte[] encode(Object value) {
                return value.toString().getBytes(StandardCharsets.UTF_8);
            }

            @Override
            public Object decode(byte[] bytes, Type type) {
                throw new IllegalStateException("not framed");
            }
        };
        assertThatCode(() -> new CodecTypeCheck(lengthPrefixed).requireComparable(Order.class, "Cannot run orders"))
                .doesNotThrowAnyException();
    }
}
