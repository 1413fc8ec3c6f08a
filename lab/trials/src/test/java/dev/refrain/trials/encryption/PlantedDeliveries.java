package dev.refrain.trials.encryption;

import static dev.refrain.trials.encryption.PlantedWords.SCOPE;
import static dev.refrain.trials.encryption.PlantedWords.WHO;
import static dev.refrain.trials.encryption.PlantedWords.WHY;
import static dev.refrain.trials.encryption.PlantedWords.name;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.ClientKey;
import dev.refrain.api.Downstream;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.outbox.DeliveryBackoff;
import dev.refrain.outbox.DeliveryRefusedException;
import dev.refrain.outbox.OutboxMessage;
import dev.refrain.outbox.Relay;
import dev.refrain.outbox.TopicSettings;
import dev.refrain.outbox.jobs.JobResult;
import dev.refrain.outbox.jobs.KeyedJob;
import dev.refrain.outbox.jobs.KeyedJobQueue;
import dev.refrain.store.outbox.MessageLabels;
import dev.refrain.store.outbox.WaitingMessageSearch;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Messages and jobs of a {@link PlantedShop}: delivered, delayed, dead, resent and discarded. */
record PlantedDeliveries(PlantedShop shop, PlantedSagas sagas) {

    private static final List<String> TOPICS = List.of("kept", "refused", "resent", "fails", "unknown");

    private static String topic(String which) {
        return name("topic " + which);
    }

    private boolean isFailing(String which) {
        var search = new WaitingMessageSearch(Optional.of(topic(which)), true, Optional.empty(), 10);
        return !shop.inner().outboxBrowser().searchWaiting(search).rows().isEmpty();
    }

    private Relay.Builder<Connection> relay() {
        return Relay.on(shop.refrain(), shop.rows())
                .pollInterval(Duration.ofMillis(50))
                .sendTo(
                        TopicSettings.of(topic("kept")).deliveredRetention(Duration.ofHours(1)),
                        Downstream.honoursKeysForEver(),
                        delivery -> {})
                .sendTo(topic("refused"), Downstream.honoursKeysForEver(), delivery -> {
                    throw DeliveryRefusedException.permanent(shop.secret("refusal"));
                })
                .sendTo(topic("resent"), Downstream.honoursKeysForEver(), delivery -> {
                    throw DeliveryRefusedException.permanent(shop.secret("another refusal"));
                })
                .sendTo(topic("fails"), Downstream.honoursKeysForEver(), delivery -> {
                    throw new IllegalStateException(shop.secret("delivery's failure"));
                })
                .sendTo(topic("unknown"), Downstream.notRetryable(), delivery -> {
                    throw new IllegalStateException(shop.secret("unknown delivery"));
                });
    }

    void run() throws Exception {
        KeyedJob<String, String, Connection> failing = KeyedJob.leased(
                name("failing job"), String.class, String.class, LeaseExpiryPolicy.HOLD, (claim, paper) -> {
                    throw new IllegalStateException(shop.secret("job's failure"));
                });
        try (var tx = shop.source().getConnection()) {
            tx.setAutoCommit(false);
            for (String which : TOPICS) {
                shop.outbox()
                        .stage(
                                tx,
                                OutboxMessage.of(topic(which), shop.secret("message"))
                                        .orderedBy(name("order key"))
                                        .labelled(MessageLabels.ofScope(SCOPE)
                                                .withSubject(name("subject"))
                                                .withReference(name("reference"))));
            }
            shop.jobs()
                    .about(name("subject"))
                    .enqueue(tx, failing, ClientKey.scope(SCOPE).key(name("job")), shop.secret("job's payload"));
            tx.commit();
        }
        var relay = relay();
        shop.jobs().registerOn(relay, failing);
        shop.jobs()
                .registerOn(
                        relay,
                        sagas.dying,
                        TopicSettings.of(KeyedJobQueue.topic(sagas.dying))
                                .maxAttempts(1)
                                .backoff(new DeliveryBackoff(Duration.ofMillis(1), Duration.ofMillis(1))));
        shop.jobs().registerOn(relay, sagas.doubtful);
        try (var started = relay.start()) {
            PlantedShop.await()
                    .until(() -> shop.outbox().deadLetters(10).size() == 4
                            && isFailing("fails")
                            && shop.outbox().backlog(topic("kept")).waiting() == 0
                            && shop.jobs()
                                            .result(
                                                    failing,
                                                    ClientKey.scope(SCOPE).key(name("job")))
                                    instanceof JobResult.Failed
                            && shop.refrain().admin().listAttention(100).stream()
                                    .anyMatch(
                                            item -> item.identity().namespace().equals(sagas.doubtful.name())));
        }
    }

    void decide() {
        for (var letter : shop.outbox().deadLetters(10)) {
            if (letter.topic().equals(topic("resent"))) {
                assertThat(shop.outbox().resend(letter.id(), WHO, WHY)).isTrue();
            } else if (letter.topic().equals(topic("unknown"))) {
                assertThat(shop.outbox().discard(letter.id(), WHO, WHY)).isTrue();
            }
        }
    }
}
