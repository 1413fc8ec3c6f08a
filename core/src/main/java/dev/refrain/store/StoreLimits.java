package dev.refrain.store;

/**
 * Bounds of what a store takes at once. Whoever sends batches keeps within them.
 *
 * @param batchRows the most elements of one batch
 * @param concurrentBatches the most batches of one kind (claims, writes, renewals, reads) under way at once
 * @param payloadBytes the largest request, outcome or carried state that one record can hold
 */
public record StoreLimits(int batchRows, int concurrentBatches, int payloadBytes) {

    /** For a store without bounds of its own: batches of 256, one at a time, and payloads up to 256 MiB. */
    public static final StoreLimits DEFAULT = new StoreLimits(256, 1, 256 << 20);

    public StoreLimits {
        if (batchRows < 1 || concurrentBatches < 1 || payloadBytes < 1) {
            throw new IllegalArgumentException(
                    "A store takes at least one row, one batch and one byte, but the limits are " + batchRows + ", "
                            + concurrentBatches + " and " + payloadBytes + ".");
        }
    }

    /** The same for a store that adds so many bytes to each payload, as encryption does. */
    public StoreLimits withPayloadOverhead(int bytes) {
        return new StoreLimits(batchRows, concurrentBatches, Math.max(1, payloadBytes - bytes));
    }
}
