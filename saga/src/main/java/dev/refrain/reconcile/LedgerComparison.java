package dev.refrain.reconcile;

import dev.refrain.Refrain;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.store.ledger.ExpectedLedgerEntry;
import dev.refrain.store.ledger.LedgerCheckRequest;
import dev.refrain.store.ledger.LedgerFinding.FindingKind;
import dev.refrain.store.ledger.ReconciliationStore;
import dev.refrain.store.ledger.ReportedLedgerEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Comparison of one ledger, page by page; both sides are joined in the store. */
record LedgerComparison(String name, ReconciliationStore<?> store, Refrain refrain, ReconcilerSettings settings) {

    private static final int MOST_COUNTED = 1_000;

    /** Compares the ledger, and reports a failure to the listener instead of throwing it. */
    void compareAndReport(Optional<LedgerReader> ours, LedgerReader theirs) {
        try {
            compare(ours, theirs);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (Exception away) {
            refrain.listener().onEvent(new RefrainEvent.LedgerReadFailed(name, away));
        }
    }

    ReconciliationReport compare(Optional<LedgerReader> ours, LedgerReader theirs) throws Exception {
        long begun = refrain.environment().nanoTime();
        var pass = store.beginPass(name, settings.maxLookback(), settings.overlap());
        if (ours.isPresent()) {
            read(ours.get(), pass.since(), this::writeOurs);
        }
        long shown = read(theirs, pass.since(), this::writeTheirs);
        store.completePass(name, pass.begun());
        var took = Duration.ofNanos(refrain.environment().nanoTime() - begun);
        var report = checkEntries(shown, took);
        reap();
        int open = store.findings(name, null, MOST_COUNTED).size();
        refrain.listener().onEvent(new RefrainEvent.LedgerRead(name, shown, open, took));
        return report;
    }

    private long read(LedgerReader ledger, Instant since, Consumer<List<ReportedLedgerEntry>> write) throws Exception {
        long read = 0;
        Optional<String> cursor = Optional.empty();
        do {
            var page = ledger.readPage(since, cursor.orElse(null), settings.pageSize());
            write.accept(page.entries());
            read += page.entries().size();
            if (page.next().isPresent() && page.next().equals(cursor)) {
                throw new IllegalStateException("Cannot read ledger " + name
                        + ": it returned the same cursor twice. Return the cursor of the next page.");
            }
            cursor = page.next();
        } while (cursor.isPresent());
        return read;
    }

    private void writeOurs(List<ReportedLedgerEntry> entries) {
        var byKey = new HashMap<String, ExpectedLedgerEntry>();
        for (var entry : entries) {
            byKey.put(entry.key(), new ExpectedLedgerEntry(entry.key(), null, null, entry.amount()));
        }
        store.addExpected(name, List.copyOf(byKey.values()));
    }

    /** Writes reported entries in batches that have each key at most once. */
    private void writeTheirs(List<ReportedLedgerEntry> entries) {
        var left = entries;
        while (!left.isEmpty()) {
            var keys = new HashSet<String>();
            var now = new ArrayList<ReportedLedgerEntry>();
            var later = new ArrayList<ReportedLedgerEntry>();
            for (var entry : left) {
                (keys.add(entry.key()) ? now : later).add(entry);
            }
            store.addReported(name, now);
            left = later;
        }
    }

    private ReconciliationReport checkEntries(long read, Duration sinceBegun) {
        Map<FindingKind, Integer> found = new EnumMap<>(FindingKind.class);
        int closed = 0;
        String after = "";
        boolean more = true;
        while (more) {
            var judged = store.check(
                    new LedgerCheckRequest(name, settings.settleTime(), sinceBegun, after, settings.pageSize()));
            judged.found().forEach(kind -> found.merge(kind, 1, Integer::sum));
            closed += judged.closed();
            after = judged.last().orElse(after);
            more = judged.more();
        }
        found.forEach(
                (kind, count) -> refrain.listener().onEvent(new RefrainEvent.LedgerFindingsOpened(name, kind, count)));
        if (closed > 0) {
            refrain.listener().onEvent(new RefrainEvent.LedgerFindingsClosed(name, closed));
        }
        return new ReconciliationReport(read, found, closed);
    }

    private void reap() {
        while (store.reap(name, settings.matchedRetention(), settings.pageSize()) == settings.pageSize()) {
            // As long as there is a full page of them.
        }
    }
}
