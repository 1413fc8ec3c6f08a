package dev.refrain.store;
/**
 * Limits of a store, which senders of batches respect.
 *
 * @param batchRows maximum number of elements in one batch
 * @param concurrentBatches maximum number of concurrent batches of one kind (claims, writes, renewals, reads)
 * @param payloadBytes the largest request, outcome or carried state of one record, at least 64 KiB. A record has a request and a carried state at once: a
 *     store that limits the whole record states less than half of that
 */
public record StoreLimits(int batchRows, int concurrentBatches, int payloadBytes) {

    /** Defaults of a store without limits of its own: batches of 256, one at a time, and payloads up to 256 MiB. */
    public static final StoreLimits DEFAULT = new StoreLimits(256, 1, 256 << 20);

    public StoreLimits {
        if (batchRows < 1 || concurrentBatches < 1 || payloadBytes < 1) {
            throw new IllegalArgumentException(
                    "A store must accept at least one row, one batch and one byte, but the limits are " + batchRows
                            + ", " + concurrentBatches + " and " + payloadBytes + ".");
        }
    }

    /** Returns the limits of a store that adds this many bytes to each payload, as encryption does. */
    public StoreLimits withPayloadOverhead(int bytes) {
        return new StoreLimits(batchRows, concurrentBatches, Math.max(1, payloadBytes - bytes));
    }
}
