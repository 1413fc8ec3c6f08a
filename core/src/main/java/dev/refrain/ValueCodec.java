package dev.refrain;

import java.lang.reflect.Type;

/**
 * Encodes typed values as bytes and decodes them. Its output is stored for the operation's retention, so it must read what its
 * older versions wrote.
 *
 * <p>Implementations are thread-safe.
 */
public interface ValueCodec {

    byte[] encode(Object value);

    Object decode(byte[] bytes, Type type);

    /**
     * Encodes a request for its fingerprint. Different requests must not give the same bytes, so reject a request without visible
     * content.
     */
    default byte[] encodeRequest(Object request) {
        return encode(request);
    }

    /**
     * Returns a JSON codec on Jackson 3 ({@code tools.jackson}) or Jackson 2 ({@code com.fasterxml.jackson}), the first of them
     * on the class path; without either a codec of strings and byte arrays whose errors name the dependency to add.
     */
    static ValueCodec standard() {
        if (TextOrBytesCodec.isPresent("tools.jackson.databind.json.JsonMapper")) {
            return Jackson3ValueCodec.standard();
        }
        if (TextOrBytesCodec.isPresent("com.fasterxml.jackson.databind.json.JsonMapper")) {
            return Jackson2ValueCodec.standard();
        }
        return new TextOrBytesCodec();
    }
}
