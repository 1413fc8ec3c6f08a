package dev.refrain.api;

import dev.refrain.internal.key.Sha256Digests;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.UUID;

/**
 * The id of one record: minted by the claim that made it, kept through release, takeover and crash, and never used again
 * once the record has expired.
 *
 * <p>Keys for downstream systems are derived from it, which is why a retry sends the same ones and a new record does not.
 */
public record RecordId(UUID value) {

    private static final String DERIVATION = "refrain/child/1";

    /**
     * The key under which {@code step} calls a downstream system: 47 characters of visible ASCII, always the same for
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
        sha.update(step.getBytes(StandardCharsets.UTF_8));
        return "refrain" + HexFormat.of().formatHex(sha.digest(), 0, 20);
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
