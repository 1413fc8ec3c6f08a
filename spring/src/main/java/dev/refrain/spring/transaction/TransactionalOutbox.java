package dev.refrain.spring.transaction;

import dev.refrain.outbox.Outbox;
import dev.refrain.outbox.OutboxMessage;
import java.sql.Connection;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DataSourceUtils;

/**
 * Stages messages in the Spring transaction that is open on the calling thread: a message is delivered if and only if it commits.
 *
 * {@snippet :
 * @Transactional
 * void place(Order order) {
 *     orders.save(order);
 *     outbox.stage("receipts", receipt(order));
 * }
 * }
 *
 * <p>For any number of threads.
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
     * @throws IllegalArgumentException if the body is too large
     * @throws IllegalStateException if no transaction on the DataSource of the outbox is open
     * @throws dev.refrain.store.StoreException if the database refused; the transaction is to be rolled back
     */
    public void stage(OutboxMessage message) {
        var connection = DataSourceUtils.getConnection(source);
        try {
            if (!DataSourceUtils.isConnectionTransactional(connection, source)) {
                throw new IllegalStateException("A message of the topic " + message.topic()
                        + " is to be staged, and no transaction is open that it could be a part of: call it from a method that is"
                        + " @Transactional, with the manager of the DataSource that the outbox is in.");
            }
            outbox.stage(connection, message);
        } finally {
            DataSourceUtils.releaseConnection(connection, source);
        }
    }
}
