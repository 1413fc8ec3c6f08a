package dev.refrain.outbox;

import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.store.jdbc.JdbcStore;
import dev.refrain.store.outbox.DeadLetter;
import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageLeaseRequest;
import dev.refrain.store.outbox.OutboxStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A database with an outbox, and relays on it. */
abstract class RelayFixture {

    static final DeliveryBackoff AT_ONCE = new DeliveryBackoff(Duration.ZERO, Duration.ZERO);
    static final Duration LEASE = Duration.ofMinutes(1);

    final List<RefrainEvent> events = new CopyOnWriteArrayList<>();
    private final List<Relay> relays = new ArrayList<>();
    OutboxTestDatabase database;
    DataSource source;
    JdbcStore store;
    OutboxStore<Connection> rows;
    Refrain refrain;
    Outbox<Connection> outbox;

    /** Something that talks to the database. */
    @FunctionalInterface
    interface ConnectionWork {
        void run(Connection connection) throws Exception;
    }

    abstract OutboxTestDatabase database() throws Exception;

    @BeforeEach
    void open() throws Exception {
        database = database();
        source = database.source();
        store = JdbcStore.on(source);
        rows = store.outbox();
        refrain = refrain(ExecutionEnvironment.system());
        outbox = Outbox.on(refrain, rows);
        execute("CREATE TABLE done (what VARCHAR(100))");
    }

    @AfterEach
    void close() {
        relays.forEach(relay -> relay.close(Duration.ofSeconds(10)));
        refrain.close();
        store.close();
        database.close();
    }

    /** Returns an instance whose events are recorded. */
    final Refrain refrain(ExecutionEnvironment environment) {
        return Refrain.using(store, RefrainSettings.defaults().with(environment).with(events::add));
    }

    Relay.Builder<Connection> relay() {
        return Relay.on(refrain, rows);
    }

    Relay started(Relay.Builder<Connection> builder) {
        var relay = builder.start();
        relays.add(relay);
        return relay;
    }

    void execute(String sql) {
        try (var connection = source.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    void transact(ConnectionWork work) throws Exception {
        try (var connection = source.getConnection()) {
            connection.setAutoCommit(false);
            work.run(connection);
            connection.commit();
        }
    }

    void stage(OutboxMessage... messages) throws Exception {
        transact(tx -> {
            for (var message : messages) {
                outbox.stage(tx, message);
            }
        });
    }

    void stage(String topic, String... bodies) throws Exception {
        transact(tx -> {
            for (String body : bodies) {
                outbox.stage(tx, topic, body);
            }
        });
    }

    static void insert(Connection tx, String what) throws SQLException {
        try (var statement = tx.prepareStatement("INSERT INTO done VALUES (?)")) {
            statement.setString(1, what);
            statement.executeUpdate();
        }
    }

    List<String> done() {
        try (var connection = source.getConnection();
                var statement = connection.createStatement();
                var result = statement.executeQuery("SELECT what FROM done")) {
            var all = new ArrayList<String>();
            while (result.next()) {
                all.add(result.getString(1));
            }
            return all;
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    long count(String sql) {
        try (var connection = source.getConnection();
                var statement = connection.createStatement();
                var result = statement.executeQuery(sql)) {
            result.next();
            return result.getLong(1);
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    /** What a relay does that is killed as soon as it has taken something. */
    List<LeasedMessage> takenByOneThatDies(String topic) {
        return rows.leaseMessages(new MessageLeaseRequest(topic, LEASE, 100, 100, Long.MAX_VALUE));
    }

    /** For the rows there are. */
    void letPass(Duration time) {
        for (String column : List.of("staged_at", "due_at", "lease_until", "sent_at")) {
            execute("UPDATE refrain_outbox SET " + column + " = " + database.earlier(column, time));
        }
    }

    List<DeadLetter> dead() {
        return outbox.deadLetters(null, 1000);
    }

    long waiting(String topic) {
        return outbox.backlog(topic).waiting();
    }

    <E extends RefrainEvent> List<E> events(Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }
}
