package dev.refrain.store.jdbc.internal.ledger;

import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.jdbc.internal.connection.DedicatedConnection;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import dev.refrain.store.ledger.ExpectedLedgerEntry;
import dev.refrain.store.ledger.LedgerCheckRequest;
import dev.refrain.store.ledger.LedgerCheckResult;
import dev.refrain.store.ledger.LedgerFinding;
import dev.refrain.store.ledger.LedgerReadPass;
import dev.refrain.store.ledger.LedgerStore;
import dev.refrain.store.ledger.ReportedLedgerEntry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Ledgers in the application's database. */
public record JdbcLedgerStore(DedicatedConnection lane, SqlScriptLibrary scripts) implements LedgerStore<Connection> {

    private static final String NO_LIMITS = "";

    @Override
    public void announce(Connection connection, String ledger, ExpectedLedgerEntry entry) {
        within(connection, ledger, LedgerQueries.ANNOUNCE, new LedgerQueries.OurEntryRow(ledger, entry));
    }

    @Override
    public void confirm(Connection connection, String ledger, String key) {
        within(connection, ledger, LedgerQueries.CONFIRM, new LedgerQueries.EntryKey(ledger, key));
    }

    @Override
    public void withdraw(Connection connection, String ledger, String key) {
        within(connection, ledger, LedgerQueries.WITHDRAW, new LedgerQueries.EntryKey(ledger, key));
    }

    private <Q> void within(Connection connection, String ledger, ParameterizedScript<Q> question, Q row) {
        try (var session = new SqlSession(connection, scripts, NO_LIMITS)) {
            session.run(question, row, (result, columns) -> {});
        } catch (SQLException e) {
            throw scripts.dialect().failures().translate("Writing to the ledger " + ledger, e, Effect.NONE);
        }
    }

    @Override
    public void addExpected(String ledger, List<ExpectedLedgerEntry> entries) {
        lane.write("Writing " + entries.size() + " entries of ours", s -> LedgerQueries.ours(s, ledger, entries));
    }

    @Override
    public void addReported(String ledger, List<ReportedLedgerEntry> entries) {
        lane.write(
                "Writing " + entries.size() + " entries of " + ledger, s -> LedgerQueries.theirs(s, ledger, entries));
    }

    @Override
    public LedgerReadPass beginPass(String ledger, Duration reach, Duration overlap) {
        return lane.read(
                "Beginning to read " + ledger,
                s -> LedgerQueries.begin(s, new LedgerQueries.PassStart(ledger, reach, overlap)));
    }

    @Override
    public void completePass(String ledger, Instant begun) {
        lane.write("Ending to read " + ledger, s -> LedgerQueries.ended(s, new LedgerQueries.PassEnd(ledger, begun)));
    }

    @Override
    public LedgerCheckResult check(LedgerCheckRequest order) {
        return lane.write("Judging entries of " + order.ledger(), s -> LedgerQueries.judge(s, order));
    }

    @Override
    public List<LedgerFinding> findings(String ledger, Optional<LedgerFinding> after, int limit) {
        return lane.read(
                "Listing findings of " + ledger,
                s -> LedgerQueries.findings(s, new LedgerQueries.FindingPage(ledger, after, limit)));
    }

    @Override
    public boolean dismiss(LedgerFinding finding, String who, String why) {
        if (who.isBlank() || why.isBlank()) {
            throw new IllegalArgumentException("A dismissal is audited: say who dismisses it and why.");
        }
        return lane.write(
                "Dismissing a finding of " + finding.ledger(),
                s -> LedgerQueries.dismiss(s, new LedgerQueries.Dismissal(finding, who, why)));
    }

    @Override
    public int reap(String ledger, Duration agreedFor, int limit) {
        return lane.write(
                "Reaping entries of " + ledger,
                s -> LedgerQueries.reap(s, new LedgerQueries.ReapParameters(ledger, agreedFor, limit)));
    }
}
