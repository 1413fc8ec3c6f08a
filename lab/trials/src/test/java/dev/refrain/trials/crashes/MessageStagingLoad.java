package dev.refrain.trials.crashes;

import dev.refrain.Refrain;
import dev.refrain.outbox.Outbox;
import dev.refrain.outbox.OutboxMessage;
import dev.refrain.store.StoreException;
import dev.refrain.store.jdbc.JdbcStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Load of customers that stage messages, one of each topic in a transaction, some of which are rolled back. At most as many are under way
 * as relays deliver in a moment.
 */
final class MessageStagingLoad implements AutoCloseable {

    static final String NEVER = "never";

    private static final int CUSTOMERS = 4;
    private static final int POSTED_AT_ONCE = 1000;
    private static final int ONE_IS_ROLLED_BACK_IN = 10;

    private final OrderDatabase database;
    private final JdbcStore store;
    private final Refrain refrain;
    private final Outbox<Connection> outbox;
    private final Semaphore room = new Semaphore(POSTED_AT_ONCE);
    private final List<CompletableFuture<Integer>> customers = new ArrayList<>();
    private volatile boolean closing;

    MessageStagingLoad(OrderDatabase database) {
        this.database = database;
        store = JdbcStore.on(database.source());
        refrain = Refrain.using(store);
        outbox = Outbox.on(refrain, store.outbox());
    }

    void begin() {
        for (int customer = 0; customer < CUSTOMERS; customer++) {
            String name = "customer-" + customer;
            customers.add(CompletableFuture.supplyAsync(() -> post(name), Thread::startVirtualThread));
        }
    }

    /** Records the arrival of a posted message. */
    void arrived() {
        room.release();
    }

    /** Stages messages until the end and returns how many were committed. */
    private int post(String customer) {
        try (var connection = database.source().getConnection()) {
            connection.setAutoCommit(false);
            int number = 0;
            while (!closing) {
                // Of each transaction two messages are posted.
                room.acquireUninterruptibly(2);
                number++;
                if (!staged(connection, customer, number)) {
                    number--;
                    room.release(2);
                }
            }
            return number;
        } catch (SQLException e) {
            throw new IllegalStateException("A customer could not stage", e);
        }
    }

    /** Stages with retries, as an application would where another process is paused with the one write lock of SQLite. */
    private boolean staged(Connection connection, String customer, int number) throws SQLException {
        try {
            if (number % ONE_IS_ROLLED_BACK_IN == 0) {
                stage(connection, customer, NEVER);
                connection.rollback();
            }
            stage(connection, customer, customer + " " + number);
        } catch (StoreException busy) {
            connection.rollback();
            if (busy.isTransient()) {
                return false;
            }
            throw busy;
        }
        connection.commit();
        return true;
    }

    private void stage(Connection tx, String customer, String body) {
        outbox.stage(tx, RelayProgram.WEBHOOKS, body);
        outbox.stage(tx, RelayProgram.RECEIPTS, body);
        outbox.stage(tx, OutboxMessage.of(RelayProgram.STATEMENTS, body).orderedBy(customer));
    }

    /** Ends the staging and returns the committed messages of each customer, in order. */
    List<List<String>> end() {
        stageNoMore();
        return IntStream.range(0, CUSTOMERS)
                .mapToObj(customer -> IntStream.rangeClosed(
                                1, customers.get(customer).join())
                        .mapToObj(number -> "customer-" + customer + " " + number)
                        .toList())
                .toList();
    }

    boolean isDelivered() {
        return Stream.of(RelayProgram.WEBHOOKS, RelayProgram.RECEIPTS, RelayProgram.STATEMENTS)
                .allMatch(topic -> outbox.backlog(topic).waiting() == 0);
    }

    Outbox<Connection> outbox() {
        return outbox;
    }

    private void stageNoMore() {
        closing = true;
        // Also for those who wait for room that nobody makes.
        room.release(2 * CUSTOMERS);
    }

    @Override
    public void close() {
        stageNoMore();
        refrain.close();
        store.close();
    }
}
