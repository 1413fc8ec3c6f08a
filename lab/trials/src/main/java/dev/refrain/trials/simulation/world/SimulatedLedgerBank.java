package dev.refrain.trials.simulation.world;

import dev.refrain.reconcile.LedgerReader.LedgerPage;
import dev.refrain.store.ledger.LedgerFinding.FindingKind;
import dev.refrain.store.ledger.ReportedLedgerEntry;
import dev.refrain.trials.simulation.machine.SimulationScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Bank whose ledger can be read: it declines some calls, and now and then books wrongly, or something that nobody sent. */
final class SimulatedLedgerBank {

    static final String DECLINED = "declined";
    static final long AMOUNT = 700;

    private record Entry(ReportedLedgerEntry shown, Instant at) {}

    private final SimulationScheduler scheduler;
    private final boolean honoursKeys;
    private final Duration within;
    private final List<Entry> entries = new ArrayList<>();
    private final Map<String, String> answers = new HashMap<>();

    SimulatedLedgerBank(SimulationScheduler scheduler, LedgerPlan plan) {
        this.scheduler = scheduler;
        honoursKeys = plan.honoursKeys();
        within = plan.within();
    }

    String pay(FaultyForeignLink line, String key) throws Exception {
        return line.call("bank", within, () -> act(key));
    }

    private String act(String key) {
        var known = answers.get(key);
        if (known != null && honoursKeys) {
            return known;
        }
        String answer = "paid";
        switch (Math.floorMod(key.hashCode(), 12)) {
            case 0, 1 -> answer = DECLINED;
            case 2 -> answer = "paid, and lost";
            case 3 -> book(key, AMOUNT + 1);
            case 4 -> {
                book(key, AMOUNT);
                book(key, AMOUNT);
            }
            default -> book(key, AMOUNT);
        }
        answers.put(key, answer);
        return answer;
    }

    /** Books something that nobody sent. */
    void stray() {
        book("stray-" + entries.size(), AMOUNT);
    }

    private void book(String key, long amount) {
        entries.add(new Entry(new ReportedLedgerEntry("entry-" + entries.size(), key, amount), now()));
    }

    private Instant now() {
        return Instant.EPOCH.plusNanos(scheduler.now());
    }

    /** Reads a page of the ledger, in the order of booking. */
    LedgerPage read(FaultyForeignLink line, Instant since, Optional<String> cursor, int limit) throws Exception {
        return line.call("ledger", within, () -> {
            int from = cursor.map(Integer::parseInt).orElse(0);
            var page = new ArrayList<ReportedLedgerEntry>();
            int next = from;
            while (next < entries.size() && page.size() < limit) {
                var entry = entries.get(next++);
                if (!entry.at().isBefore(since)) {
                    page.add(entry.shown());
                }
            }
            return new LedgerPage(
                    List.copyOf(page), next < entries.size() ? Optional.of(Integer.toString(next)) : Optional.empty());
        });
    }

    /** Returns what a reconciler should say of everything that is booked or was sent. */
    Map<String, FindingKind> truth(Map<String, SentStatus> sent) {
        var truth = new HashMap<String, FindingKind>();
        var amounts = new HashMap<String, List<Long>>();
        entries.forEach(entry -> amounts.computeIfAbsent(entry.shown().key(), k -> new ArrayList<>())
                .add(entry.shown().amount()));
        amounts.forEach((key, booked) -> {
            if (!sent.containsKey(key)) {
                truth.put(key, FindingKind.ONLY_THEIRS);
            }
        });
        sent.forEach((key, status) -> {
            var booked = amounts.getOrDefault(key, List.of());
            if (booked.isEmpty()) {
                truth.put(key, FindingKind.ONLY_OURS);
            } else if (booked.size() > 1) {
                truth.put(key, FindingKind.TWICE);
            } else if (booked.getFirst() != AMOUNT) {
                truth.put(key, FindingKind.AMOUNTS_DIFFER);
            } else if (status == SentStatus.UNKNOWN) {
                truth.put(key, FindingKind.UNRECORDED);
            }
        });
        return truth;
    }

    /** What a flow knows of its call. */
    enum SentStatus {
        CONFIRMED,
        UNKNOWN
    }
}
