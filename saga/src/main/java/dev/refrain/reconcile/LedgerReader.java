package dev.refrain.reconcile;

import dev.refrain.store.ledger.ReportedLedgerEntry;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads a ledger page by page: another system's, or the application's own. */
@FunctionalInterface
public interface LedgerReader {

    /**
     * Reads entries that were made at a time or later, by the ledger's clock, in any order. Repeated and older entries do no harm.
     *
     * @param cursor the {@code next} of the previous page; null for the first
     * @param limit about how many entries to return
     * @throws Exception if the ledger cannot be read now; nothing is compared then
     */
    LedgerPage readPage(Instant since, @Nullable String cursor, int limit) throws Exception;

    /**
     * Page of a ledger.
     *
     * @param next the cursor of the following page; empty if this is the last
     */
    record LedgerPage(List<ReportedLedgerEntry> entries, Optional<String> next) {}
}
