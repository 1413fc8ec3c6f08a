package dev.refrain.reconcile;

import dev.refrain.store.ledger.ReportedLedgerEntry;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A ledger that can be read page by page: another system's, or the application's own. */
@FunctionalInterface
public interface LedgerReader {

    /**
     * Entries that were made at that moment or later, by the ledger's clock, in any order; showing one twice, or an older one, does no harm.
     *
     * @param cursor what the page before gave as its next, and empty for the first; how the ledger finds its way among entries of the same
     *     moment is its own matter
     * @param limit about how many entries are wanted
     * @throws Exception if it cannot be read now: nothing is judged then
     */
    LedgerPage readPage(Instant since, Optional<String> cursor, int limit) throws Exception;

    /** @param next where the following page begins; empty if this is the last */
    record LedgerPage(List<ReportedLedgerEntry> entries, Optional<String> next) {}
}
