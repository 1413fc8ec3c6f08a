package dev.refrain.store.jdbc;

import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.ledger.Finding;
import dev.refrain.store.ledger.Judged;
import dev.refrain.store.ledger.Judging;
import dev.refrain.store.ledger.LedgerStore;
import dev.refrain.store.ledger.OurEntry;
import dev.refrain.store.ledger.Pass;
import dev.refrain.store.ledger.TheirEntry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Ledgers in the application's database. */
record JdbcLedgers(Lane lane, Scripts scripts) implements LedgerStore<Connection> {

    private static final String NO_LIMITS = "";

    @Override
    public void announce(Connection connection, String ledger, OurEntry entry) {
        within(connection, ledger, Ledgering.ANNOUNCE, new Ledgering.Ours(ledger, entry));
    }

    @Override
    public void confirm(Connection connection, String ledger, String key) {
        within(connection, ledger, Ledgering.CONFIRM, new Ledgering.Named(ledger, key));
    }

    @Override
    public void withdraw(Connection connection, String ledger, String key) {
        within(connection, ledger, Ledgering.WITHDRAW, new Ledgering.Named(ledger, key));
    }

    private <Q> void within(Connection connection, String ledger, Question<Q> question, Q row) {
        try (var session = new Session(connection, scripts, NO_LIMITS)) {
            session.run(question, row, (result, columns) -> {});
        } catch (SQLException e) {
            throw scripts.dialect().failures().translate("Writing to the ledger " + ledger, e, Effect.NONE);
        }
    }

    @Override
    public void addExpected(String ledger, List<OurEntry> entries) {
        lane.write("Writing " + entries.size() + " entries of ours", s -> Ledgering.ours(s, ledger, entries));
    }

    @Override
    public void addReported(String ledger, List<TheirEntry> entries) {
        lane.write("Writing " + entries.size() + " entries of " + ledger, s -> Ledgering.theirs(s, ledger, entries));
    }

    @Override
    public Pass beginPass(String ledger, Duration reach, Duration overlap) {
        return lane.read(
                "Beginning to read " + ledger, s -> Ledgering.begin(s, new Ledgering.Span(ledger, reach, overlap)));
    }

    @Override
    public void completePass(String ledger, Instant begun) {
        lane.write("Ending to read " + ledger, s -> Ledgering.ended(s, new Ledgering.Ended(ledger, begun)));
    }

    @Override
    public Judged check(Judging order) {
        return lane.write("Judging entries of " + order.ledger(), s -> Ledgering.judge(s, order));
    }

    @Override
    public List<Finding> findings(String ledger, Optional<Finding> after, int limit) {
        return lane.read(
                "Listing findings of " + ledger, s -> Ledgering.findings(s, new Ledgering.Page(ledger, after, limit)));
    }

    @Override
    public boolean dismiss(Finding finding, String who, String why) {
        if (who.isBlank() || why.isBlank()) {
            throw new IllegalArgumentException("A dismissal is audited: say who dismisses it and why.");
        }
        return lane.write(
                "Dismissing a finding of " + finding.ledger(),
                s -> Ledgering.dismiss(s, new Ledgering.Dismissal(finding, who, why)));
    }

    @Override
    public int reap(String ledger, Duration agreedFor, int limit) {
        return lane.write(
                "Reaping entries of " + ledger,
                s -> Ledgering.reap(s, new Ledgering.Reaping(ledger, agreedFor, limit)));
    }
}
