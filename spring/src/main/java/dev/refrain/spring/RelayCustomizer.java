package dev.refrain.spring;

import dev.refrain.outbox.Relay;
import java.sql.Connection;

/**
 * Callback to configure the relay that the starter runs, in particular the targets of topics. All beans of this type are applied.
 * {@snippet :
 *
 * @Bean
 * RelayCustomizer receipts(JdbcTemplate sql) {
 *     return relay -> relay.handle("receipts", (tx, delivery) -> sql.update("INSERT INTO receipts …", delivery.text()));
 * }
 * }
 *
 * <p>A handler runs in a Spring transaction, which also settles the message.
 */
@FunctionalInterface
public interface RelayCustomizer {

    void customize(Relay.Builder<Connection> relay);
}
