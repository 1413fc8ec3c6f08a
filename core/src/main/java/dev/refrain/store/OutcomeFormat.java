package dev.refrain.store;

import dev.refrain.api.AnswerHeader;
import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import dev.refrain.api.UnreadableOutcomeException;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;

/**
 * Binary format of stored answers.
 *
 * <p>The first byte is the version of the format. A newer Refrain reads every older version, so instances can be upgraded one by
 * one; an older one that reads a newer version throws and replays nothing.
 */
public final class OutcomeFormat {

    private static final int VERSION = 1;

    /** First byte of everything that {@code stores/encryption} writes. */
    private static final int ENCRYPTED = 0xE1;

    private OutcomeFormat() {}

    public static Payload encode(Outcome.Answer answer) {
        var bytes = new ByteArrayOutputStream(answer.body().size() + 64);
        try (var out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            out.writeShort(answer.status());
            out.writeInt(answer.headers().size());
            for (var header : answer.headers()) {
                writeText(out, header.name());
                writeText(out, header.value());
            }
            out.write(answer.body().bytes());
        } catch (IOException e) {
            throw new UncheckedIOException("Writing to memory cannot fail", e);
        }
        return Payload.of(bytes.toByteArray());
    }

    public static Outcome.Answer decode(Payload stored) {
        try {
            var in = ByteBuffer.wrap(stored.bytes());
            int version = Byte.toUnsignedInt(in.get());
            if (version == ENCRYPTED) {
                throw new UnreadableOutcomeException(
                        "The stored outcome is encrypted, and this instance uses the store without"
                                + " encryption. Configure encryption with the keys of the instances that wrote it.");
            }
            if (version != VERSION) {
                throw new UnreadableOutcomeException("The stored outcome has format " + version
                        + ", but this Refrain reads format " + VERSION + ". Finish the upgrade of all instances.");
            }
            int status = Short.toUnsignedInt(in.getShort());
            int count = in.getInt();
            if (count < 0 || !Outcome.Answer.isStatus(status)) {
                throw new IOException("a status of " + status + " with " + count + " headers was never written");
            }
            var headers = new ArrayList<AnswerHeader>(Math.min(count, 64));
            for (int i = 0; i < count; i++) {
                headers.add(new AnswerHeader(readText(in), readText(in)));
            }
            return new Outcome.Answer(status, headers, Payload.of(read(in, in.remaining())));
        } catch (IOException | BufferUnderflowException e) {
            throw new UnreadableOutcomeException("The stored outcome cannot be parsed: the row is damaged.", e);
        }
    }

    private static void writeText(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String readText(ByteBuffer in) throws IOException {
        int length = in.getInt();
        if (length < 0 || length > in.remaining()) {
            throw new IOException("a length of " + length + " runs past the end");
        }
        return new String(read(in, length), StandardCharsets.UTF_8);
    }

    private static byte[] read(ByteBuffer in, int length) {
        var bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }
}
