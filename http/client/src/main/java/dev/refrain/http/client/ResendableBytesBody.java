package dev.refrain.http.client;

import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Request body in memory. */
final class ResendableBytesBody implements ResendableBody {

    private final byte[] bytes;

    ResendableBytesBody(byte[] bytes) {
        this.bytes = bytes.clone();
    }

    @Override
    public byte[] bytes() {
        return bytes.clone();
    }

    @Override
    public BodyPublisher publisher() {
        return bytes.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(bytes);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ResendableBytesBody body && Arrays.equals(bytes, body.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return bytes.length + " bytes";
    }
}
