package dev.refrain.store.ledger;

import dev.refrain.api.RecordId;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Difference between what was sent and what a ledger shows. Immutable.
 *
 * @param recordId record of the flow that sent it, if one did
 * @param point recovery point of that flow
 * @param confirmed whether the other system confirmed it; if not, the flow itself does not know
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

    /** Kinds of differences. */
    public enum FindingKind {
        /** We sent it, and the ledger does not show it: it did not happen, or is lost there. */
        ONLY_OURS,
        /** The ledger shows it, and we did not send it. */
        ONLY_THEIRS,
        /** Both sides have it, with different amounts. */
        AMOUNTS_DIFFER,
        /** The ledger shows it more than once. */
        TWICE,
        /** The ledger shows it, so it happened, but the flow that sent it does not know. */
        UNRECORDED
    }
}
