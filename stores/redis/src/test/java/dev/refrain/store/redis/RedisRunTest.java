package dev.refrain.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.LeasedOperation;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome;
import dev.refrain.api.RefrainException;
import dev.refrain.servers.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests whole operations, in two processes, while the server is killed. */
class RedisRunTest {

    private static final int KEYS = 300;

    private final Map<String, AtomicInteger> effects = new ConcurrentHashMap<>();
    private final Map<String, Outcome.Answer> answers = new ConcurrentHashMap<>();
    private final AtomicInteger contradictions = new AtomicInteger();

    private void pay(LeasedOperation<Outcome.Answer> operation, String key) {
        try {
            var answer = operation.run(
                    OperationCall.scope("tenant-1").key(key).request("one euro"),
                    claim -> new Outcome.Answer(
                            200,
                            List.of(),
                            SampleClaims.payload(key + " "
                                    + effects.computeIfAbsent(key, name -> new AtomicInteger())
                                            .incrementAndGet())));
            var before = answers.putIfAbsent(key, answer);
            if (before != null && !before.equals(answer)) {
                contradictions.incrementAndGet();
            }
        } catch (RefrainException e) {
            // In progress, unreachable, or unknown: the client asks again.
        }
    }

    @Test
    void keyTakesEffectOnceAndAnswersTheSameWhileTheServerIsKilled() {
        try (var server = RedisServer.start();
                var one = RedisStore.at(server.url());
                var two = RedisStore.at(server.url());
                var here = Refrain.using(one);
                var there = Refrain.using(two)) {
            var operations = List.of(
                    here.operation("charge").leased(LeaseExpiryPolicy.HOLD),
                    there.operation("charge").leased(LeaseExpiryPolicy.HOLD));
            try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < KEYS; i++) {
                    String key = "key-" + i + "-of-payments";
                    operations.forEach(operation -> callers.execute(() -> pay(operation, key)));
                    if (i == KEYS / 3 || i == KEYS * 2 / 3) {
                        await().until(() -> answers.size() > 20);
                        server.restart();
                    }
                }
            }
            await().atMost(Duration.ofSeconds(60)).until(() -> {
                pay(operations.getFirst(), "key-afterwards");
                return answers.containsKey("key-afterwards");
            });
            for (int i = 0; i < KEYS; i++) {
                pay(operations.getLast(), "key-" + i + "-of-payments");
            }
        }

        assertThat(effects.values()).allMatch(count -> count.get() == 1);
        assertThat(contradictions).hasValue(0);
        assertThat(answers).hasSizeGreaterThan(KEYS / 3);
    }
}
