package dev.refrain.store.jdbc;

import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.outbox.Backlog;
import dev.refrain.store.outbox.DeadLetter;
import dev.refrain.store.outbox.Decision;
import dev.refrain.store.outbox.OutboxStore;
import dev.refrain.store.outbox.OutboxTransaction;
import dev.refrain.store.outbox.RowRef;
import dev.refrain.store.outbox.Settlement;
import dev.refrain.store.outbox.Staged;
import dev.refrain.store.outbox.TakeOrder;
import dev.refrain.store.outbox.Taken;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** Staged messages in the application's database. */
final class JdbcOutbox implements OutboxStore<Connection> {

    private static final String NO_LIMITS = "";

    private final Lane lane;
    private final Line line;
    private final DataSource listening;
    private final Scripts scripts;
    private final Timeouts timeouts;

    /**
     * @param lane on which rows are taken and settled
     * @param line where transactions of handlers come from
     * @param listening where the connection comes from that hears of commits
     */
    JdbcOutbox(Lane lane, Line line, DataSource listening, Scripts scripts, Timeouts timeouts) {
        this.lane = lane;
        this.line = line;
        this.listening = listening;
        this.scripts = scripts;
        this.timeouts = timeouts;
    }

    @Override
    public void stage(Connection connection, Staged message) {
        try {
            requireTransaction(connection);
            try (var session = new Session(connection, scripts, NO_LIMITS)) {
                Outboxing.stage(session, message);
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
    public List<Taken> leaseMessages(TakeOrder order) {
        return lane.write("Taking messages of the topic " + order.topic(), s -> Outboxing.take(s, order));
    }

    @Override
    public Set<RowRef> settle(List<? extends Settlement> settlements) {
        return lane.write("Settling " + settlements.size() + " messages", s -> SettlingRows.settle(s, settlements));
    }

    @Override
    public OutboxTransaction<Connection> begin() {
        try {
            return new JdbcDelivery(BegunWork.begin(line.beginDirectly(), scripts.dialect(), timeouts));
        } catch (SQLException e) {
            throw failures().translate("Beginning a delivery", e, Effect.NONE);
        }
    }

    @Override
    public List<DeadLetter> deadLetters(Optional<DeadLetter> after, int limit) {
        return lane.read("Listing dead letters", s -> Outboxing.deadLetters(s, after, limit));
    }

    @Override
    public int resolveDeadLetters(Decision decision) {
        return lane.write("Deciding on dead letters", s -> Outboxing.decide(s, decision));
    }

    @Override
    public int reap(int limit) {
        return lane.write("Deleting delivered messages", s -> Outboxing.reap(s, limit));
    }

    @Override
    public Backlog backlog(String topic, int limit) {
        return lane.read("Counting messages of the topic " + topic, s -> Outboxing.backlog(s, topic, limit));
    }

    @Override
    public Listening subscribeToCommits(Consumer<String> topics) {
        return scripts.dialect().supportsNotifications()
                ? ListeningConnection.byNotify(listening, topics)
                : ListeningConnection.byFileVersion(listening, topics);
    }

    private Failures failures() {
        return scripts.dialect().failures();
    }
}
