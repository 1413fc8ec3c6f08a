package dev.refrain.store.redis;

import static dev.refrain.store.redis.SampleClaims.claim;
import static dev.refrain.store.redis.SampleClaims.complete;
import static dev.refrain.store.redis.SampleClaims.identity;
import static dev.refrain.store.redis.SampleClaims.payload;
import static dev.refrain.store.redis.SampleClaims.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.api.ClaimRef;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWriteResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Several instances that claim and complete the same keys at once, and retry until they are done; something may befall the server meanwhile. */
final class TwinClaims implements AutoCloseable {

    private static final int CALLERS = 4;
    private static final int LEAST_KEYS = 200;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Map<String, Set<ClaimRef>> claims = new ConcurrentHashMap<>();
    private final AtomicInteger done = new AtomicInteger();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Future<?>> sent = new ArrayList<>();
    private volatile boolean enough;

    /** Sends keys through this instance until {@link #awaitEnd}. */
    void send(RedisStore instance) {
        for (int caller = 0; caller < CALLERS; caller++) {
            String name = "key-" + caller + "-";
            sent.add(threads.submit(() -> {
                for (int i = 0; i < LEAST_KEYS || !enough; i++) {
                    run(instance, name + i);
                }
            }));
        }
    }

    /** Retries under the nonce of its claim, as a batcher does; another instance has another one. */
    private void run(RedisStore instance, String key) {
        var request = request(key);
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(5))
                .ignoreExceptions()
                .until(() -> switch (claim(instance, request)) {
                    case ClaimResponse.Acquired acquired -> {
                        var held = acquired.record().claim();
                        claims.computeIfAbsent(key, name -> ConcurrentHashMap.newKeySet())
                                .add(held);
                        yield complete(instance, held, key) instanceof RecordWriteResponse.Written;
                    }
                    case ClaimResponse.Found found -> found.record().state() == RecordState.COMPLETED;
                    default -> false;
                });
        done.incrementAndGet();
    }

    /** Waits until so many more calls are done. */
    void awaitMore(int calls) {
        int until = done.get() + calls;
        await().atMost(PATIENCE).until(() -> done.get() >= until);
    }

    void awaitEnd() throws Exception {
        enough = true;
        for (var caller : sent) {
            caller.get();
        }
    }

    void assertEachWasClaimedOnceAndNoneIsLost(RedisStore store) {
        assertThat(claims).hasSizeGreaterThanOrEqualTo(CALLERS * LEAST_KEYS);
        assertThat(claims).allSatisfy((key, held) -> assertThat(held).as(key).hasSize(1));
        for (String key : claims.keySet()) {
            assertThat(store.find(List.of(identity(key)))
                            .getFirst()
                            .orElseThrow()
                            .outcome())
                    .contains(payload(key));
            assertThat(claim(store, request(key))).isInstanceOf(ClaimResponse.Found.class);
        }
        assertThat(store.countUnsettled(10).inProgress()).isZero();
    }

    @Override
    public void close() {
        enough = true;
        threads.shutdownNow();
    }
}
