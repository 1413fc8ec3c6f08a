package dev.refrain.outbox.jobs;

import dev.refrain.api.ClientKey;
import dev.refrain.api.Payload;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Staged form of a job. */
record EnqueuedJob(ClientKey key, Payload payload) {

    private static final int FORMAT = 1;

    static byte[] of(ClientKey key, byte[] payload) {
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(bytes)) {
            out.writeByte(FORMAT);
            out.writeUTF(key.scope());
            out.writeUTF(key.key());
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
                throw new IllegalStateException("Cannot read an enqueued job of format " + format
                        + ": a newer version of Refrain wrote it, and this one reads up to " + FORMAT
                        + ". Upgrade this instance.");
            }
            return new EnqueuedJob(ClientKey.scope(in.readUTF()).key(in.readUTF()), Payload.of(in.readAllBytes()));
        } catch (IOException e) {
            throw new IllegalStateException("Cannot read an enqueued job: it is truncated.", e);
        }
    }
}
