package dev.refrain.store.ledger;

import dev.refrain.api.RecordId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Entry that we expect a ledger to show. Immutable.
 *
 * @param key the derived key under which it was sent
 * @param recordId record of the flow that sends it; empty if the application reports its own side
 * @param point recovery point of that flow
 * @param amount in the smallest unit
 * @param scope of that flow, for erasure
 * @param subject the person it is about, for erasure
 */
public record ExpectedLedgerEntry(
        String key,
        Optional<RecordId> recordId,
        Optional<String> point,
        long amount,
        Optional<String> scope,
        Optional<String> subject) {

    /** Creates an entry that belongs to nobody; record and point are null where they are not known. */
    public ExpectedLedgerEntry(String key, @Nullable RecordId recordId, @Nullable String point, long amount) {
        this(
                key,
                Optional.ofNullable(recordId),
                Optional.ofNullable(point),
                amount,
                Optional.empty(),
                Optional.empty());
    }
}
