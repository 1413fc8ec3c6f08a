package dev.refrain.api;

import dev.refrain.internal.key.LosslessUtf8;
import dev.refrain.internal.key.Sha256Digests;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.UUID;

/**
 * Id of one record: created by its first claim, kept through release, takeover and crash, and never reused once the record has
 * expired.
 *
 * <p>Keys for downstream systems are derived from it, so that a retry sends the same ones and a new record does not.
 */
public record RecordId(UUID value) {

    private static final String DERIVATION = "refrain/child/1";

    /**
     * Returns the key under which {@code step} calls a downstream system: 47 characters of visible ASCII, always the same for
     * this record and step, unrelated to the client's own key.
     */
    public String keyFor(String step) {
        if (step.isEmpty()) {
            throw new InvalidIdempotencyKeyException("A derived key needs the name of the step that sends it.");
        }
        var sha = Sha256Digests.fresh();
        sha.update(DERIVATION.getBytes(StandardCharsets.US_ASCII));
        sha.update(ByteBuffer.allocate(16)
                .putLong(value.getMostSignificantBits())
                .putLong(value.getLeastSignificantBits())
                .flip());
        sha.update(LosslessUtf8.bytes(step));
        return "refrain" + HexFormat.of().formatHex(sha.digest(), 0, 20);
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
