package dev.refrain.store.redis;

import io.lettuce.core.protocol.ProtocolKeyword;
import java.nio.charset.StandardCharsets;

/** A command that the client library does not name. */
@SuppressWarnings("deprecation")
enum WaitAofKeyword implements ProtocolKeyword {
    WAITAOF;

    @Override
    public byte[] getBytes() {
        return name().getBytes(StandardCharsets.US_ASCII);
    }
}
