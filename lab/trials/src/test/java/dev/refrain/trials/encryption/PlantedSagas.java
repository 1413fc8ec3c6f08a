package dev.refrain.trials.encryption;

import static dev.refrain.trials.encryption.PlantedWords.SCOPE;
import static dev.refrain.trials.encryption.PlantedWords.WHO;
import static dev.refrain.trials.encryption.PlantedWords.WHY;
import static dev.refrain.trials.encryption.PlantedWords.name;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.ClientKey;
import dev.refrain.api.Downstream;
import dev.refrain.api.EffectUnknownException;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.flow.FlowRequest;
import dev.refrain.outbox.jobs.KeyedJob;
import dev.refrain.saga.Saga;
import dev.refrain.saga.SagaResult;
import dev.refrain.saga.SagaRunner;
import dev.refrain.saga.StepFailedException;
import dev.refrain.saga.StepOutcomeUnknownException;
import java.sql.Connection;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Sagas of a {@link PlantedShop}: stuck, retried and abandoned ones, and those whose job dies or ends unknown. */
final class PlantedSagas {

    private final PlantedShop shop;
    private final SagaRunner<Connection> sagas;
    private final Map<String, FlowRequest<String>> requests = new HashMap<>();
    final KeyedJob<String, String, Connection> dying;
    final KeyedJob<String, String, Connection> doubtful;

    PlantedSagas(PlantedShop shop) {
        this.shop = shop;
        sagas = SagaRunner.on(shop.flows());
        dying = KeyedJob.transactional(name("dying job"), String.class, String.class, (tx, paper) -> {
            throw new IllegalStateException(shop.secret("job's last failure"));
        });
        doubtful = KeyedJob.leased(
                name("doubtful job"), String.class, String.class, LeaseExpiryPolicy.HOLD, (claim, paper) -> {
                    throw new EffectUnknownException(shop.secret("job's doubt"), null);
                });
    }

    private FlowRequest<String> request(String key) {
        return requests.computeIfAbsent(
                key,
                k -> FlowRequest.of(ClientKey.scope(SCOPE).key(name(k)), shop.secret("saga's request"))
                        .withSubject(name("subject"))
                        .withPrincipal(Map.of("name", shop.secret("saga's principal"))));
    }

    private Saga<String, Connection> stuck() {
        return Saga.of(name("trip"), String.class)
                .retries(1, Duration.ofMillis(1))
                .compensationRetries(1, Duration.ofMillis(1))
                .step(name("seat"), (tx, at) -> shop.secret("seat"), (tx, at) -> {
                    throw new IllegalStateException(shop.secret("seat stays taken"));
                })
                .foreignCall(name("car"), Downstream.honoursKeysForEver(), call -> shop.secret("car"), call -> {
                    throw new IllegalStateException(shop.secret("car stays booked"));
                })
                .step(name("hotel"), (tx, at) -> {
                    throw new StepFailedException(shop.secret("no room"));
                })
                .build();
    }

    private Saga<String, Connection> withJob(String saga, KeyedJob<String, String, Connection> job) {
        return Saga.of(name(saga), String.class)
                .step(name("seat"), (tx, at) -> shop.secret("seat"), (tx, at) -> {})
                .job(name("paper"), shop.jobs(), job, at -> shop.secret("job's payload"), (tx, at) -> {})
                .build();
    }

    private Saga<String, Connection> unknown() {
        return Saga.of(name("doubt"), String.class)
                .retries(1, Duration.ofMillis(1))
                .step(name("seat"), (tx, at) -> shop.secret("seat"), (tx, at) -> {})
                .foreignCall(
                        name("car"),
                        Downstream.honoursKeysForEver(),
                        call -> {
                            throw new StepOutcomeUnknownException(shop.secret("doubt"));
                        },
                        call -> {})
                .build();
    }

    /** Until the jobs are enqueued. */
    void begin() throws Exception {
        for (String key : new String[] {"stuck", "retried", "abandoned"}) {
            assertThat(sagas.runForResult(stuck(), request(key))).isInstanceOf(SagaResult.Stuck.class);
        }
        assertThatThrownBy(() -> sagas.run(unknown(), request("doubt")));
        assertThat(sagas.runForResult(withJob("print", dying), request("dead job")))
                .isInstanceOf(SagaResult.Unfinished.class);
        assertThat(sagas.runForResult(withJob("bind", doubtful), request("doubtful job")))
                .isInstanceOf(SagaResult.Unfinished.class);
    }

    /** After the jobs were tried. */
    void end() {
        for (var item : sagas.stuck(stuck(), 10)) {
            if (item.identity().key().equals(name("retried"))) {
                assertThat(sagas.retry(item, WHO, WHY)).isTrue();
            } else if (item.identity().key().equals(name("abandoned"))) {
                assertThat(sagas.abandonCompensation(item, WHO, WHY)).isTrue();
            }
        }
        for (var item : shop.refrain().admin().listAttention(100)) {
            if (item.identity().namespace().equals(doubtful.name())) {
                assertThat(shop.jobs().resolveAsFailed(item, WHO, WHY)).isTrue();
            }
        }
        PlantedShop.await()
                .until(() -> sagas.runForResult(withJob("print", dying), request("dead job"))
                        instanceof SagaResult.Compensated);
        PlantedShop.await()
                .until(() -> sagas.runForResult(withJob("bind", doubtful), request("doubtful job"))
                        instanceof SagaResult.Compensated);
    }
}
