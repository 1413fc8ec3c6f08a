package dev.refrain.outbox;

import dev.refrain.ValueCodec;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A codec of an application's own: it remembers and marks what it encodes, and decodes nothing else. */
final class MarkingCodec implements ValueCodec {

    private static final byte MARK = '#';

    final List<Object> encoded = new CopyOnWriteArrayList<>();
    private final ValueCodec standard = ValueCodec.standard();

    @Override
    public byte[] encode(Object value) {
        encoded.add(value);
        byte[] bytes = standard.encode(value);
        return ByteBuffer.allocate(bytes.length + 1).put(MARK).put(bytes).array();
    }

    @Override
    public Object decode(byte[] bytes, Type type) {
        if (bytes.length == 0 || bytes[0] != MARK) {
            throw new IllegalArgumentException("Another codec encoded this " + type + ".");
        }
        return standard.decode(Arrays.copyOfRange(bytes, 1, bytes.length), type);
    }
}
