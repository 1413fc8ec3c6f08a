package dev.refrain.reconcile;

import dev.refrain.store.ledger.ReportedLedgerEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Somebody else's ledger, read from its newest entry to its oldest, as such ledgers are. */
final class FakeBankLedger implements LedgerReader {

    private record Row(ReportedLedgerEntry entry, Instant at) {}

    private final List<Row> rows = new ArrayList<>();
    final List<Instant> asked = new ArrayList<>();
    int pagesUntilItIsAway = Integer.MAX_VALUE;
    int largestPage;

    synchronized String enter(String key, long amount) {
        return enter(key, amount, Instant.now());
    }

    synchronized String enter(String key, long amount, Instant at) {
        String id = "tr_" + rows.size();
        rows.add(new Row(new ReportedLedgerEntry(id, key, amount), at));
        return id;
    }

    synchronized void lose(String key) {
        rows.removeIf(row -> row.entry().key().equals(key));
    }

    @Override
    public synchronized LedgerPage readPage(Instant since, @Nullable String cursor, int limit) {
        if (pagesUntilItIsAway-- <= 0) {
            throw new IllegalStateException("503");
        }
        if (cursor == null) {
            asked.add(since);
        }
        int to = cursor == null ? rows.size() : Integer.parseInt(cursor);
        int from = Math.max(0, to - limit);
        largestPage = Math.max(largestPage, to - from);
        var page = rows.subList(from, to).stream()
                .filter(row -> !row.at().isBefore(since))
                .map(Row::entry)
                .toList()
                .reversed();
        return new LedgerPage(page, from == 0 ? Optional.empty() : Optional.of(String.valueOf(from)));
    }
}
