package dev.refrain.store.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Store ability: keeps sent calls and the entries of a ledger, key by key, so that neither side has to fit in memory. Every
 * method may be repeated. Thread-safe; failures are {@link dev.refrain.store.StoreException}s.
 *
 * @param <C> the caller's access to the database in its transaction, such as {@code java.sql.Connection}
 */
public interface ReconciliationStore<C> {

    /** Records in the caller's open transaction that this is about to be sent. */
    void announce(C connection, String ledger, ExpectedLedgerEntry entry);

    /** Records in the caller's open transaction that it is known to have happened. */
    void confirm(C connection, String ledger, String key);

    /** Records in the caller's open transaction that it is known not to have happened, so that no ledger entry is expected. */
    void withdraw(C connection, String ledger, String key);

    /** Adds what the application says it did; each key at most once per call. */
    void addExpected(String ledger, List<ExpectedLedgerEntry> entries);

    /** Adds entries of the ledger; each key at most once per call, entries with the same key in separate calls. */
    void addReported(String ledger, List<ReportedLedgerEntry> entries);

    /**
     * Begins a pass at the start of the last completed pass, or where the oldest unseen entry of ours was sent, but no longer ago
     * than {@code reach}; in each case minus {@code overlap}.
     */
    LedgerReadPass beginPass(String ledger, Duration reach, Duration overlap);

    /** Records that the pass was read to its end. */
    void completePass(String ledger, Instant begun);

    /** Compares both sides in key order, and opens and closes findings. Only after a completed pass. */
    LedgerCheckResult check(LedgerCheckRequest order);

    /**
     * Lists findings that are open and not dismissed, oldest first.
     *
     * @param after the last one of the page before; null for the first page
     */
    List<LedgerFinding> findings(String ledger, @Nullable LedgerFinding after, int limit);

    /**
     * Closes a finding without any change, and writes actor, time and reason into the audit trail in the same step. The finding
     * is opened again if it becomes one of another kind.
     *
     * @return whether it still existed as it was read
     */
    boolean dismiss(LedgerFinding finding, String who, String why);

    /** Deletes up to {@code limit} entries that have agreed, or were dismissed, for this long; returns how many. */
    int reap(String ledger, Duration agreedFor, int limit);
}
