package dev.refrain.spring;

import dev.refrain.outbox.Relay;
import java.sql.Connection;

/**
 * Says where messages of a topic go: each bean of this type has its say about the relay that the starter runs.
 *
 * {@snippet :
 * @Bean
 * RelayCustomizer receipts(JdbcTemplate sql) {
 *     return relay -> relay.handle("receipts", (tx, delivery) -> sql.update("INSERT INTO receipts …", delivery.text()));
 * }
 * }
 *
 * <p>A handler runs in a transaction of Spring's, in which the message is settled too.
 */
@FunctionalInterface
public interface RelayCustomizer {

    void customize(Relay.Builder<Connection> relay);
}
