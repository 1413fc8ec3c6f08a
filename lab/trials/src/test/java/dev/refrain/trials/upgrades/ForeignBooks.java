package dev.refrain.trials.upgrades;

import dev.refrain.reconcile.LedgerReader;
import dev.refrain.saga.StepFailedException;
import dev.refrain.store.ledger.ReportedLedgerEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Books of another system that goes by keys: what stands there, and everything it was ever told or asked. */
final class ForeignBooks implements LedgerReader {

    private final Map<String, String> standing = new TreeMap<>();
    private final List<String> sent = new ArrayList<>();
    private final List<String> asked = new ArrayList<>();
    private final List<String> undone = new ArrayList<>();
    private final List<ReportedLedgerEntry> ledger = new ArrayList<>();

    /** What was entered before, in another life of this process. */
    synchronized void remember(String key, String number) {
        standing.put(key, number);
    }

    synchronized String enter(String key) {
        sent.add(key);
        if (undone.contains(key)) {
            throw new StepFailedException("was taken back before it came");
        }
        return standing.computeIfAbsent(key, k -> "nr-" + (standing.size() + 1));
    }

    synchronized Optional<String> find(String key) {
        asked.add(key);
        return Optional.ofNullable(standing.get(key));
    }

    synchronized void takeBack(String key) {
        undone.add(key);
        standing.remove(key);
    }

    synchronized Map<String, String> standing() {
        return Map.copyOf(standing);
    }

    /** The keys under which something was sent, in that order. */
    synchronized List<String> sent() {
        return List.copyOf(sent);
    }

    /** The keys that were asked about, in that order. */
    synchronized List<String> asked() {
        return List.copyOf(asked);
    }

    /** The keys of what was taken back, in that order. */
    synchronized List<String> undone() {
        return List.copyOf(undone);
    }

    synchronized void show(String id, String key, long amount) {
        ledger.add(new ReportedLedgerEntry(id, key, amount));
    }

    @Override
    public synchronized LedgerPage readPage(Instant since, @Nullable String cursor, int limit) {
        return new LedgerPage(List.copyOf(ledger), Optional.empty());
    }
}
