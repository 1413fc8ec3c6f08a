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
import dev.refrain.store.ledger.ReconciliationStore;
import dev.refrain.store.ledger.ReportedLedgerEntry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Stores ledgers in the application's database. */
public record JdbcReconciliationStore(DedicatedConnection dedicated, SqlScriptLibrary scripts)
        implements ReconciliationStore<Connection> {

    private static final String NO_LIMITS = "";

    @Override
    public void announce(Connection connection, String ledger, ExpectedLedgerEntry entry) {
        within(connection, ledger, LedgerStatements.ANNOUNCE, new LedgerStatements.OurEntryRow(ledger, entry));
    }

    @Override
    public void confirm(Connection connection, String ledger, String key) {
        within(connection, ledger, LedgerStatements.CONFIRM, new LedgerStatements.EntryKey(ledger, key));
    }

    @Override
    public void withdraw(Connection connection, String ledger, String key) {
        within(connection, ledger, LedgerStatements.WITHDRAW, new LedgerStatements.EntryKey(ledger, key));
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
        dedicated.write(
                "Writing " + entries.size() + " entries of ours", s -> LedgerStatements.ours(s, ledger, entries));
    }

    @Override
    public void addReported(String ledger, List<ReportedLedgerEntry> entries) {
        dedicated.write(
                "Writing " + entries.size() + " entries of " + ledger,
                s -> LedgerStatements.theirs(s, ledger, entries));
    }

    @Override
    public LedgerReadPass beginPass(String ledger, Duration reach, Duration overlap) {
        return dedicated.read(
                "Starting a pass over " + ledger,
                s -> LedgerStatements.begin(s, new LedgerStatements.PassStart(ledger, reach, overlap)));
    }

    @Override
    public void completePass(String ledger, Instant begun) {
        dedicated.write(
                "Completing a pass over " + ledger,
                s -> LedgerStatements.ended(s, new LedgerStatements.PassEnd(ledger, begun)));
    }

    @Override
    public LedgerCheckResult check(LedgerCheckRequest order) {
        return dedicated.write("Comparing entries of " + order.ledger(), s -> LedgerStatements.judge(s, order));
    }

    @Override
    public List<LedgerFinding> findings(String ledger, @Nullable LedgerFinding after, int limit) {
        return dedicated.read(
                "Listing findings of " + ledger,
                s -> LedgerStatements.findings(
                        s, new LedgerStatements.FindingPage(ledger, Optional.ofNullable(after), limit)));
    }

    @Override
    public boolean dismiss(LedgerFinding finding, String who, String why) {
        if (who.isBlank() || why.isBlank()) {
            throw new IllegalArgumentException("A dismissal is audited. Pass who dismisses it and why.");
        }
        return dedicated.write(
                "Dismissing a finding of " + finding.ledger(),
                s -> LedgerStatements.dismiss(s, new LedgerStatements.Dismissal(finding, who, why)));
    }

    @Override
    public int reap(String ledger, Duration agreedFor, int limit) {
        return dedicated.write(
                "Reaping entries of " + ledger,
                s -> LedgerStatements.reap(s, new LedgerStatements.ReapParameters(ledger, agreedFor, limit)));
    }
}
