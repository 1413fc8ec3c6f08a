package dev.refrain.store;

import java.util.List;

/** What {@link CompletionQueue#pollAbandoned} found, how many it gave up, and whether there may be more. */
public record AbandonedRecordBatch(List<AbandonedRecord> abandoned, int toAttention, boolean more) {}
