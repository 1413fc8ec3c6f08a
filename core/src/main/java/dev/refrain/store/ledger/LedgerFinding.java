package dev.refrain.store.ledger;

import dev.refrain.api.RecordId;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What does not agree.
 *
 * @param recordId of the flow that sent it, if one did
 * @param point of that flow
 * @param confirmed whether we were told that it happened; if not, the flow itself does not know
 * @param foundAt by the store's clock
 */
public record LedgerFinding(
        String ledger,
        String key,
        FindingKind kind,
        Optional<RecordId> recordId,
        Optional<String> point,
        OptionalLong ours,
        OptionalLong theirs,
        boolean confirmed,
        Instant foundAt) {

    /** In which way. */
    public enum FindingKind {
        /** We sent it, and their ledger does not show it: it did not happen, or is lost there. */
        ONLY_OURS,
        /** Their ledger shows it, and we know nothing of it. */
        ONLY_THEIRS,
        /** Both know it, with different amounts. */
        AMOUNTS_DIFFER,
        /** Their ledger shows it more than once. */
        TWICE,
        /** Their ledger shows it, so it happened, and the flow that sent it does not know that. */
        UNRECORDED
    }
}
