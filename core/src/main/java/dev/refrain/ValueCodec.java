package dev.refrain;

import java.lang.reflect.Type;

/**
 * How typed values become bytes and come back. What it writes is stored for as long as the operation's retention, so it
 * must read what its older versions wrote.
 *
 * <p>Implementations are safe for use by many threads.
 */
public interface ValueCodec {

    byte[] encode(Object value);

    Object decode(byte[] bytes, Type type);

    /**
     * A request as it is fingerprinted. Two that differ must not give the same bytes, so one of which nothing shows is to be refused.
     */
    default byte[] encodeRequest(Object request) {
        return encode(request);
    }

    /**
     * JSON by Jackson 3 ({@code tools.jackson}) or Jackson 2 ({@code com.fasterxml.jackson}), the first of them that is on the class path;
     * without either a codec that takes strings and byte arrays and, for anything else, says which dependency to add.
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
