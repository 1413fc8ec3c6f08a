package dev.refrain;

import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;

/** Strings and byte arrays as they are. */
final class TextOrBytesCodec implements ValueCodec {

    private static final String HINT = """
             cannot be stored: no JSON library is on the class path. Add
                 <dependency>
                   <groupId>tools.jackson.core</groupId>
                   <artifactId>jackson-databind</artifactId>
                 </dependency>
             or give Refrain a Codec of your own.""";

    @Override
    public byte[] encode(Object value) {
        return switch (value) {
            case byte[] bytes -> bytes;
            case CharSequence text -> text.toString().getBytes(StandardCharsets.UTF_8);
            default ->
                throw new IllegalArgumentException(
                        "A value of " + value.getClass().getName() + HINT);
        };
    }

    @Override
    public Object decode(byte[] bytes, Type type) {
        if (type == byte[].class) {
            return bytes;
        }
        if (type == String.class) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
        throw new IllegalArgumentException("A value of " + type.getTypeName() + HINT);
    }
}
