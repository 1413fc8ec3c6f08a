package dev.refrain.trials.simulation.world;

import dev.refrain.store.ledger.ExpectedLedgerEntry;
import dev.refrain.store.ledger.LedgerCheckRequest;
import dev.refrain.store.ledger.LedgerCheckResult;
import dev.refrain.store.ledger.LedgerFinding;
import dev.refrain.store.ledger.LedgerReadPass;
import dev.refrain.store.ledger.ReconciliationStore;
import dev.refrain.store.ledger.ReportedLedgerEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Ledger as one process reaches it, over the same faulty link as its records. */
record SimulatedLedgers(SimulatedLedgerTable table, FaultyStoreLink line)
        implements ReconciliationStore<SimulatedDatabase.Bookings> {

    @Override
    public void announce(SimulatedDatabase.Bookings connection, String ledger, ExpectedLedgerEntry entry) {
        write(connection, "announce", () -> table.announce(entry));
    }

    @Override
    public void confirm(SimulatedDatabase.Bookings connection, String ledger, String key) {
        write(connection, "confirm", () -> table.confirm(key));
    }

    @Override
    public void withdraw(SimulatedDatabase.Bookings connection, String ledger, String key) {
        write(connection, "withdraw", () -> table.withdraw(key));
    }

    private void write(SimulatedDatabase.Bookings connection, String what, Runnable change) {
        line.statement(what, () -> {
            connection.add(change);
            return what;
        });
    }

    @Override
    public void addExpected(String ledger, List<ExpectedLedgerEntry> entries) {
        throw new UnsupportedOperationException("Our side are calls of flows here.");
    }

    @Override
    public void addReported(String ledger, List<ReportedLedgerEntry> entries) {
        one("add reported entries", () -> {
            table.addReported(entries);
            return entries.size();
        });
    }

    @Override
    public LedgerReadPass beginPass(String ledger, Duration reach, Duration overlap) {
        return one("begin a pass", () -> table.beginPass(reach, overlap));
    }

    @Override
    public void completePass(String ledger, Instant begun) {
        one("complete a pass", () -> {
            table.completePass(begun);
            return begun;
        });
    }

    @Override
    public LedgerCheckResult check(LedgerCheckRequest order) {
        return one("check entries", () -> table.check(order));
    }

    @Override
    public List<LedgerFinding> findings(String ledger, @Nullable LedgerFinding after, int limit) {
        return one("list findings", () -> table.findings(ledger));
    }

    @Override
    public boolean dismiss(LedgerFinding finding, String who, String why) {
        throw new UnsupportedOperationException("Nobody dismisses findings here.");
    }

    /** Deletes nothing: no world lasts that long. */
    @Override
    public int reap(String ledger, Duration agreedFor, int limit) {
        return one("reap entries", () -> 0);
    }

    private <A> A one(String what, Supplier<A> call) {
        return line.batch(what, List.of("all"), all -> List.of(call.get())).getFirst();
    }
}
