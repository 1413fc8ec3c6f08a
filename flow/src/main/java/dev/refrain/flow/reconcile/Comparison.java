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
    void reported(Optional<Ledger> ours, Ledger theirs) {
        try {
            of(ours, theirs);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (Exception away) {
            refrain.listener().on(new Event.LedgerUnread(name, away));
        }
    }

    Report of(Optional<Ledger> ours, Ledger theirs) throws Exception {
        long begun = refrain.environment().nanos();
        var pass = store.begin(name, how.reach(), how.overlap());
        if (ours.isPresent()) {
            read(ours.get(), pass.since(), this::writeOurs);
        }
        long shown = read(theirs, pass.since(), this::writeTheirs);
        store.ended(name, pass.begun());
        var took = Duration.ofNanos(refrain.environment().nanos() - begun);
        var report = judged(shown, took);
        reap();
        int open = store.findings(name, Optional.empty(), MOST_COUNTED).size();
        refrain.listener().on(new Event.LedgerRead(name, shown, open, took));
        return report;
    }

    private long read(Ledger ledger, Instant since, Consumer<List<TheirEntry>> write) throws Exception {
        long read = 0;
        Optional<String> cursor = Optional.empty();
        do {
            var page = ledger.page(since, cursor, how.page());
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
        store.ours(name, List.copyOf(byKey.values()));
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
            store.theirs(name, now);
            left = later;
        }
    }

    private Report judged(long read, Duration sinceBegun) {
        Map<Kind, Integer> found = new EnumMap<>(Kind.class);
        int closed = 0;
        String after = "";
        boolean more = true;
        while (more) {
            var judged = store.judge(new Judging(name, how.settling(), sinceBegun, after, how.page()));
            judged.found().forEach(kind -> found.merge(kind, 1, Integer::sum));
            closed += judged.closed();
            after = judged.last().orElse(after);
            more = judged.more();
        }
        found.forEach((kind, count) -> refrain.listener().on(new Event.Disagreed(name, kind, count)));
        if (closed > 0) {
            refrain.listener().on(new Event.Agreed(name, closed));
        }
        return new Report(read, found, closed);
    }

    private void reap() {
        while (store.reap(name, how.kept(), how.page()) == how.page()) {
            // As long as there is a full page of them.
        }
    }
}
