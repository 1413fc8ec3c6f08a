package dev.refrain.gateway;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A field of a message in Protocol Buffers: a number, or bytes. */
record ProtoField(int tag, long number, ByteBuffer content) {

    /** The fields with this tag, in order. */
    static List<ProtoField> all(byte[] message, int tag) {
        var in = ByteBuffer.wrap(message);
        var found = new ArrayList<ProtoField>();
        while (in.hasRemaining()) {
            long key = number(in);
            var field = read((int) (key >> 3), (int) (key & 7), in);
            if (field.tag == tag) {
                found.add(field);
            }
        }
        return found;
    }

    private static ProtoField read(int tag, int kind, ByteBuffer in) {
        return switch (kind) {
            case 0 -> new ProtoField(tag, number(in), ByteBuffer.allocate(0));
            case 1 -> new ProtoField(tag, 0, bytes(in, 8));
            case 2 -> new ProtoField(tag, 0, bytes(in, (int) number(in)));
            case 5 -> new ProtoField(tag, 0, bytes(in, 4));
            default -> throw new IllegalArgumentException("There is no kind " + kind + ".");
        };
    }

    private static ByteBuffer bytes(ByteBuffer in, int length) {
        var slice = in.slice(in.position(), length);
        in.position(in.position() + length);
        return slice;
    }

    private static long number(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = in.get();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }

    byte[] bytes() {
        byte[] bytes = new byte[content.remaining()];
        content.duplicate().get(bytes);
        return bytes;
    }

    String text() {
        return new String(bytes(), StandardCharsets.UTF_8);
    }
}
