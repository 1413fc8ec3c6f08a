package dev.refrain.spring.transaction;

import dev.refrain.outbox.Outbox;
import dev.refrain.outbox.OutboxMessage;
import java.sql.Connection;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DataSourceUtils;

/**
 * Stages messages in the Spring transaction that is open on the calling thread: a message is delivered if and only if the
 * transaction commits. Thread-safe.
 * {@snippet :
 *
 * @Transactional
 * void place(Order order) {
 *     orders.save(order);
 *     outbox.stage("receipts", receipt(order));
 * }
 * }
 */
public final class TransactionalOutbox {

    private final Outbox<Connection> outbox;
    private final DataSource source;

    TransactionalOutbox(Outbox<Connection> outbox, DataSource source) {
        this.outbox = outbox;
        this.source = source;
    }

    public void stage(String topic, Object body) {
        stage(OutboxMessage.of(topic, body));
    }

    /**
     * Stages a message.
     *
     * @throws IllegalArgumentException if the body is too large
     * @throws IllegalStateException if no transaction on the DataSource of the outbox is open
     * @throws dev.refrain.store.StoreException if the database rejected it; roll back the transaction
     */
    public void stage(OutboxMessage message) {
        var connection = DataSourceUtils.getConnection(source);
        try {
            if (!DataSourceUtils.isConnectionTransactional(connection, source)) {
                throw new IllegalStateException("Cannot stage a message of the topic " + message.topic()
                        + ": no transaction is open. Call it from a method that is"
                        + " @Transactional, with the transaction manager of the outbox's DataSource.");
            }
            outbox.stage(connection, message);
        } finally {
            DataSourceUtils.releaseConnection(connection, source);
        }
    }
}
