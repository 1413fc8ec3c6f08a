package dev.refrain.store.jdbc.internal.outbox;

import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.jdbc.internal.connection.DedicatedConnection;
import dev.refrain.store.jdbc.internal.sql.JdbcTimeouts;
import dev.refrain.store.jdbc.internal.sql.SqlErrorTranslator;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import dev.refrain.store.jdbc.internal.transaction.ConnectionHandoverQueue;
import dev.refrain.store.jdbc.internal.transaction.WorkTransaction;
import dev.refrain.store.outbox.DeadLetter;
import dev.refrain.store.outbox.DeadLetterDecision;
import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageLeaseRequest;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.OutboxRowRef;
import dev.refrain.store.outbox.OutboxStore;
import dev.refrain.store.outbox.OutboxTransaction;
import dev.refrain.store.outbox.StagedMessage;
import dev.refrain.store.outbox.TopicBacklog;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** Staged messages in the application's database. */
public final class JdbcOutboxStore implements OutboxStore<Connection> {

    private static final String NO_LIMITS = "";

    private final DedicatedConnection lane;
    private final ConnectionHandoverQueue line;
    private final DataSource listening;
    private final SqlScriptLibrary scripts;
    private final JdbcTimeouts timeouts;

    /**
     * @param lane on which rows are taken and settled
     * @param line where transactions of handlers come from
     * @param listening where the connection comes from that hears of commits
     */
    public JdbcOutboxStore(
            DedicatedConnection lane,
            ConnectionHandoverQueue line,
            DataSource listening,
            SqlScriptLibrary scripts,
            JdbcTimeouts timeouts) {
        this.lane = lane;
        this.line = line;
        this.listening = listening;
        this.scripts = scripts;
        this.timeouts = timeouts;
    }

    @Override
    public void stage(Connection connection, StagedMessage message) {
        try {
            requireTransaction(connection);
            try (var session = new SqlSession(connection, scripts, NO_LIMITS)) {
                OutboxQueries.stage(session, message);
            }
        } catch (SQLException e) {
            throw failures().translate("Staging a message of the topic " + message.topic(), e, Effect.NONE);
        }
    }

    private static void requireTransaction(Connection connection) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalArgumentException(
                    "The connection is in auto-commit mode, so there is no transaction that the"
                            + " message could be a part of: call setAutoCommit(false) first.");
        }
    }

    @Override
    public List<LeasedMessage> leaseMessages(MessageLeaseRequest order) {
        return lane.write("Taking messages of the topic " + order.topic(), s -> OutboxQueries.take(s, order));
    }

    @Override
    public Set<OutboxRowRef> settle(List<? extends MessageSettlement> settlements) {
        return lane.write(
                "Settling " + settlements.size() + " messages", s -> OutboxSettlementWriter.settle(s, settlements));
    }

    @Override
    public OutboxTransaction<Connection> begin() {
        try {
            return new JdbcDeliveryTransaction(
                    WorkTransaction.begin(line.beginDirectly(), scripts.dialect(), timeouts));
        } catch (SQLException e) {
            throw failures().translate("Beginning a delivery", e, Effect.NONE);
        }
    }

    @Override
    public List<DeadLetter> deadLetters(Optional<DeadLetter> after, int limit) {
        return lane.read("Listing dead letters", s -> OutboxQueries.deadLetters(s, after, limit));
    }

    @Override
    public int resolveDeadLetters(DeadLetterDecision decision) {
        return lane.write("Deciding on dead letters", s -> OutboxQueries.decide(s, decision));
    }

    @Override
    public int reap(int limit) {
        return lane.write("Deleting delivered messages", s -> OutboxQueries.reap(s, limit));
    }

    @Override
    public TopicBacklog backlog(String topic, int limit) {
        return lane.read("Counting messages of the topic " + topic, s -> OutboxQueries.backlog(s, topic, limit));
    }

    @Override
    public WakeupSubscription subscribeToCommits(Consumer<String> topics) {
        return scripts.dialect().supportsNotifications()
                ? OutboxWakeupListener.byNotify(listening, topics)
                : OutboxWakeupListener.byFileVersion(listening, topics);
    }

    private SqlErrorTranslator failures() {
        return scripts.dialect().failures();
    }
}
