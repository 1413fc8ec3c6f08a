package dev.refrain.store.jdbc.internal.outbox;

import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.TransactionLimits;
import dev.refrain.store.jdbc.internal.connection.DedicatedConnection;
import dev.refrain.store.jdbc.internal.sql.SqlErrorTranslator;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import dev.refrain.store.jdbc.internal.transaction.CommitHook;
import dev.refrain.store.jdbc.internal.transaction.GuardedWorkTransaction;
import dev.refrain.store.jdbc.internal.wakeup.CommitListener;
import dev.refrain.store.jdbc.internal.wakeup.StagingSignals;
import dev.refrain.store.outbox.DeadLetter;
import dev.refrain.store.outbox.DeadLetterDecision;
import dev.refrain.store.outbox.DeliveryTransaction;
import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageLeaseRequest;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.OutboxRowRef;
import dev.refrain.store.outbox.OutboxStore;
import dev.refrain.store.outbox.StagedMessage;
import dev.refrain.store.outbox.StagingListener;
import dev.refrain.store.outbox.TopicBacklog;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Stores staged messages in the application's database. */
public final class JdbcOutboxStore implements OutboxStore<Connection> {

    private static final String NO_LIMITS = "";
    private static final TransactionLimits NO_LIMITS_GIVEN =
            new TransactionLimits(Duration.ofSeconds(30), Duration.ofMinutes(10));

    private final DedicatedConnection dedicated;
    private final DedicatedConnection reads;
    private final GuardedWorkTransaction.Starter work;
    private final CommitHook commits;
    private final StagingSignals signals;
    private final RelayConnections connections;
    private final SqlScriptLibrary scripts;

    /**
     * Creates the outbox.
     *
     * @param dedicated connection on which rows are leased and settled
     * @param reads connection on which a transaction looks something up, which never waits for a writer
     * @param work begins the handlers' transactions
     * @param commits learns of the commits of transactions that stage messages
     * @param signals reports messages to the relays of this process
     * @param connections source of the connection that listens for commits
     */
    public JdbcOutboxStore(
            DedicatedConnection dedicated,
            DedicatedConnection reads,
            GuardedWorkTransaction.Starter work,
            CommitHook commits,
            StagingSignals signals,
            RelayConnections connections,
            SqlScriptLibrary scripts) {
        this.dedicated = dedicated;
        this.reads = reads;
        this.work = work;
        this.commits = commits;
        this.signals = signals;
        this.connections = connections;
        this.scripts = scripts;
    }

    @Override
    public void stage(Connection connection, StagedMessage message) {
        try {
            requireTransaction(connection);
            try (var session = new SqlSession(connection, scripts, NO_LIMITS)) {
                OutboxStatements.stage(session, message);
            }
        } catch (SQLException e) {
            throw failures().translate("Staging a message of the topic " + message.topic(), e, Effect.NONE);
        }
        report(connection, message.topic());
    }

    private void report(Connection connection, String topic) {
        if (!signals.isUnheard() && !commits.runAfterCommit(connection, () -> signals.committed(topic))) {
            signals.staged(topic);
        }
    }

    private static void requireTransaction(Connection connection) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalArgumentException(
                    "The connection is in auto-commit mode, so there is no transaction that the"
                            + " message could be a part of. Call setAutoCommit(false) first.");
        }
    }

    @Override
    public List<LeasedMessage> leaseMessages(MessageLeaseRequest order) {
        return dedicated.write("Taking messages of the topic " + order.topic(), s -> OutboxStatements.take(s, order));
    }

    @Override
    public Set<OutboxRowRef> settle(List<? extends MessageSettlement> settlements) {
        return dedicated.write(
                "Settling " + settlements.size() + " messages", s -> OutboxSettlementWriter.settle(s, settlements));
    }

    @Override
    public DeliveryTransaction<Connection> begin() {
        return begin(NO_LIMITS_GIVEN);
    }

    @Override
    public DeliveryTransaction<Connection> begin(Duration timeout) {
        return begin(new TransactionLimits(timeout, timeout));
    }

    private DeliveryTransaction<Connection> begin(TransactionLimits limits) {
        try {
            return new JdbcDeliveryTransaction(work.begin(limits));
        } catch (SQLException e) {
            throw failures().noConnection("Beginning a delivery", e);
        }
    }

    @Override
    public List<DeadLetter> deadLetters(@Nullable DeadLetter after, int limit) {
        return dedicated.read(
                "Listing dead letters", s -> OutboxStatements.deadLetters(s, Optional.ofNullable(after), limit));
    }

    @Override
    public Optional<DeadLetter> findDeadLetter(String topic, String reference) {
        return reads.read("Finding a dead letter", s -> OutboxStatements.deadLetter(s, topic, reference));
    }

    @Override
    public int resolveDeadLetters(DeadLetterDecision decision) {
        return dedicated.write("Deciding on dead letters", s -> OutboxStatements.decide(s, decision));
    }

    @Override
    public int reap(int limit) {
        return dedicated.write("Deleting delivered messages", s -> OutboxStatements.reap(s, limit));
    }

    @Override
    public TopicBacklog backlog(String topic, int limit) {
        return dedicated.read(
                "Counting messages of the topic " + topic, s -> OutboxStatements.backlog(s, topic, limit));
    }

    @Override
    public WakeupSubscription subscribeToCommits(StagingListener listener) {
        connections.requireRoom();
        if (scripts.dialect().hasConcurrentWriters()) {
            connections.warnIfFewAreLeft();
        }
        var ofOthers = commitsOfOthers(listener);
        var ofThisProcess = signals.subscribe(listener);
        return () -> {
            ofThisProcess.close();
            ofOthers.close();
        };
    }

    private WakeupSubscription commitsOfOthers(StagingListener listener) {
        var dialect = scripts.dialect();
        if (dialect.supportsNotifications()) {
            return CommitListener.byNotify(connections.source(), "refrain_staged", listener::committed);
        }
        return dialect.hasConcurrentWriters()
                ? CommitListener.byQuery(
                        connections.source(),
                        scripts.named("outbox_newest").statements().getFirst().sql(),
                        listener::committed)
                : CommitListener.byFileVersion(connections.source(), listener::committed);
    }

    private SqlErrorTranslator failures() {
        return scripts.dialect().failures();
    }
}
