package dev.refrain.trials.crashes;

import dev.refrain.Refrain;
import dev.refrain.api.Downstream;
import dev.refrain.outbox.DeliveryBackoff;
import dev.refrain.outbox.HttpTarget;
import dev.refrain.outbox.MessageDelivery;
import dev.refrain.outbox.Relay;
import dev.refrain.outbox.TopicSettings;
import dev.refrain.store.jdbc.JdbcStore;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;

/** Main class of a relay that is killed. */
final class RelayProgram {

    /** Topic that is posted in any order. */
    static final String WEBHOOKS = "webhooks";

    /** Topic that is posted in the order of each customer. */
    static final String STATEMENTS = "statements";

    /** Topic whose handler writes into a table of the same name. */
    static final String RECEIPTS = "receipts";

    private static final Downstream<MessageDelivery, Void> HONOURS_KEYS = Downstream.honoursKeys(Duration.ofHours(1));

    private RelayProgram() {}

    /** @param arguments the URL of the database, and that of each topic posted to */
    public static void main(String[] arguments) throws IOException {
        var store = JdbcStore.on(new OrderDatabase(arguments[0]).source());
        Relay.on(Refrain.using(store), store.outbox())
                .sendTo(topic(WEBHOOKS), HONOURS_KEYS, to(arguments[1]))
                .sendTo(topic(STATEMENTS), HONOURS_KEYS, to(arguments[2]))
                .handle(
                        topic(RECEIPTS),
                        (tx, delivery) ->
                                OrdersProgram.execute(tx, "INSERT INTO receipts VALUES (?, NULL)", delivery.bodyText()))
                .start();
        System.out.println("ready");
        ChildJvm.awaitEndOfParent();
        Runtime.getRuntime().halt(0);
    }

    private static TopicSettings topic(String name) {
        return TopicSettings.of(name)
                .timeout(Duration.ofSeconds(2))
                .lease(Duration.ofSeconds(5))
                .backoff(new DeliveryBackoff(Duration.ofMillis(50), Duration.ofSeconds(1)));
    }

    private static HttpTarget to(String uri) {
        return HttpTarget.to(URI.create(uri)).build();
    }
}
