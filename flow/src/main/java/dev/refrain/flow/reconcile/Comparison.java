package dev.refrain.flow.reconcile;

import dev.refrain.Refrain;
import dev.refrain.observe.Event;
import dev.refrain.store.ledger.Finding.Kind;
import dev.refrain.store.ledger.Judging;
import dev.refrain.store.ledger.LedgerStore;
import dev.refrain.store.ledger.OurEntry;
import dev.refrain.store.ledger.TheirEntry;
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

/** Compares one ledger, page by page: both sides meet in the store. */
record Comparison(String name, LedgerStore<?> store, Refrain refrain, Reconciling how) {

    private static final int MOST_COUNTED = 1_000;

    /** A ledger that is away is no reason to stop looking. */
    void compareAndReport(Optional<Ledger> ours, Ledger theirs) {
        try {
            compare(ours, theirs);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (Exception away) {
            refrain.listener().onEvent(new Event.LedgerUnread(name, away));
        }
    }

    Report compare(Optional<Ledger> ours, Ledger theirs) throws Exception {
        long begun = refrain.environment().nanoTime();
        var pass = store.beginPass(name, how.maxLookback(), how.overlap());
        if (ours.isPresent()) {
            read(ours.get(), pass.since(), this::writeOurs);
        }
        long shown = read(theirs, pass.since(), this::writeTheirs);
        store.completePass(name, pass.begun());
        var took = Duration.ofNanos(refrain.environment().nanoTime() - begun);
        var report = checkEntries(shown, took);
        reap();
        int open = store.findings(name, Optional.empty(), MOST_COUNTED).size();
        refrain.listener().onEvent(new Event.LedgerRead(name, shown, open, took));
        return report;
    }

    private long read(Ledger ledger, Instant since, Consumer<List<TheirEntry>> write) throws Exception {
        long read = 0;
        Optional<String> cursor = Optional.empty();
        do {
            var page = ledger.readPage(since, cursor, how.pageSize());
            write.accept(page.entries());
            read += page.entries().size();
            if (page.next().isPresent() && page.next().equals(cursor)) {
                throw new IllegalStateException(
                        "The ledger " + name + " gives the same page again and again: its cursor does not move.");
            }
            cursor = page.next();
        } while (cursor.isPresent());
        return read;
    }

    private void writeOurs(List<TheirEntry> entries) {
        var byKey = new HashMap<String, OurEntry>();
        for (var entry : entries) {
            byKey.put(entry.key(), new OurEntry(entry.key(), Optional.empty(), Optional.empty(), entry.amount()));
        }
        store.addExpected(name, List.copyOf(byKey.values()));
    }

    /** One key at most once in a batch; entries that have it in common come one after the other. */
    private void writeTheirs(List<TheirEntry> entries) {
        var left = entries;
        while (!left.isEmpty()) {
            var keys = new HashSet<String>();
            var now = new ArrayList<TheirEntry>();
            var later = new ArrayList<TheirEntry>();
            for (var entry : left) {
                (keys.add(entry.key()) ? now : later).add(entry);
            }
            store.addReported(name, now);
            left = later;
        }
    }

    private Report checkEntries(long read, Duration sinceBegun) {
        Map<Kind, Integer> found = new EnumMap<>(Kind.class);
        int closed = 0;
        String after = "";
        boolean more = true;
        while (more) {
            var judged = store.check(new Judging(name, how.settleTime(), sinceBegun, after, how.pageSize()));
            judged.found().forEach(kind -> found.merge(kind, 1, Integer::sum));
            closed += judged.closed();
            after = judged.last().orElse(after);
            more = judged.more();
        }
        found.forEach((kind, count) -> refrain.listener().onEvent(new Event.Disagreed(name, kind, count)));
        if (closed > 0) {
            refrain.listener().onEvent(new Event.Agreed(name, closed));
        }
        return new Report(read, found, closed);
    }

    private void reap() {
        while (store.reap(name, how.matchedRetention(), how.pageSize()) == how.pageSize()) {
            // As long as there is a full page of them.
        }
    }
}
