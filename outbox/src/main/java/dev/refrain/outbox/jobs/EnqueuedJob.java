package dev.refrain.outbox.jobs;

import dev.refrain.api.Payload;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A job as it is staged, in a format of its own. */
record EnqueuedJob(String scope, String key, Payload payload) {

    private static final int FORMAT = 1;

    static byte[] of(String scope, String key, byte[] payload) {
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(bytes)) {
            out.writeByte(FORMAT);
            out.writeUTF(scope);
            out.writeUTF(key);
            out.write(payload);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    static EnqueuedJob read(byte[] staged) {
        try (var in = new DataInputStream(new ByteArrayInputStream(staged))) {
            int format = in.readByte();
            if (format != FORMAT) {
                throw new IllegalStateException("A job of format " + format
                        + " was enqueued by a newer version of Refrain; this one reads up to " + FORMAT + ".");
            }
            return new EnqueuedJob(in.readUTF(), in.readUTF(), Payload.of(in.readAllBytes()));
        } catch (IOException e) {
            throw new IllegalStateException("A job cannot be read.", e);
        }
    }
}
