package dev.refrain;

import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;

/** Codec of strings and byte arrays, for applications without a JSON library. Thread-safe. */
final class TextOrBytesCodec implements ValueCodec {

    private static final String HINT = """
             cannot be stored as JSON: neither Jackson 3 nor Jackson 2 is on the class path. Add
                 <dependency>
                   <groupId>tools.jackson.core</groupId>
                   <artifactId>jackson-databind</artifactId>
                   <version>3.2.4</version>
                 </dependency>
             or, for Jackson 2,
                 <dependency>
                   <groupId>com.fasterxml.jackson.core</groupId>
                   <artifactId>jackson-databind</artifactId>
                   <version>2.22.4</version>
                 </dependency>
             or pass a ValueCodec of your own: Refrain.using(store, RefrainSettings.defaults().with(codec)).""";

    /** Returns true if this class's loader finds a class, since the codec for it would be linked there. */
    static boolean isPresent(String name) {
        try {
            Class.forName(name, false, TextOrBytesCodec.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

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
