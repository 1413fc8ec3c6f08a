package dev.refrain.http.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Payload;
import dev.refrain.http.KeyRequirement;
import dev.refrain.http.OperationMode;
import dev.refrain.http.Route;
import dev.refrain.http.RoutePolicy;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.store.Store;
import dev.refrain.store.StoreLimits;
import dev.refrain.store.memory.MemoryStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests that come while the store has too much to do: it answers one claim at a time, and at the moment none. */
class OverloadedRequestTest {

    private static final Duration SLOW = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration PATIENCE = SLOW.multipliedBy(5).dividedBy(2);

    private final ConcurrentLinkedQueue<RefrainEvent> events = new ConcurrentLinkedQueue<>();
    private final AtomicInteger claims = new AtomicInteger();
    private final Semaphore waiting = new Semaphore(0);
    private final CountDownLatch answering = new CountDownLatch(1);
    private final AtomicInteger bodies = new AtomicInteger();
    private final Refrain refrain =
            Refrain.using(slowStore(), RefrainSettings.defaults().with(events::add));

    private Store slowStore() {
        var memory = new MemoryStore();
        var old = memory.traits().limits();
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("traits")) {
                        return memory.traits().withLimits(new StoreLimits(1, 1, old.payloadBytes()));
                    }
                    if (method.getName().equals("claim")) {
                        if (claims.getAndIncrement() == 0) {
                            Thread.sleep(SLOW);
                        } else {
                            waiting.release();
                            answering.await();
                        }
                    }
                    return method.invoke(memory, arguments);
                });
    }

    /** The first claim shows how slow the store is, the second is being answered, and a third waits. */
    @BeforeEach
    void overload() throws Exception {
        ((LeasedExchange) send(KeyRequirement.REQUIRED, "first", LONG)).abandon();
        Thread.ofVirtual().start(() -> ((LeasedExchange) send(KeyRequirement.REQUIRED, "second", LONG)).abandon());
        waiting.acquire();
        var third = Thread.ofVirtual()
                .start(() -> ((LeasedExchange) send(KeyRequirement.REQUIRED, "third", LONG)).abandon());
        while (third.getState() != Thread.State.WAITING && third.isAlive()) {
            Thread.onSpinWait();
        }
        bodies.set(0);
    }

    @AfterEach
    void close() {
        answering.countDown();
        refrain.close(Duration.ZERO);
    }

    private RequestDecision send(KeyRequirement requirement, String key, Duration patience) {
        return send(OperationMode.leased(LeaseExpiryPolicy.RESUME), requirement, key, patience);
    }

    private RequestDecision send(OperationMode mode, KeyRequirement requirement, String key, Duration patience) {
        var policy =
                RoutePolicy.of(mode).key(keys -> keys.with(requirement)).run(run -> run.withStoreTimeout(patience));
        var route = RouteProtection.of(refrain, Route.of("POST /pay", policy), ContractAndStatusPaths.DEFAULT, null);
        var head = new RequestHead(
                "POST",
                "/pay",
                "",
                "application/json",
                name -> name.equalsIgnoreCase("Idempotency-Key") ? List.of(key) : List.of());
        return route.begin(head, BufferBudget.ofHeap().open("peer"))
                .decide(new RequestStep.BlockingTranslation<RuntimeException>() {
                    @Override
                    public RequestStep resolveScope(RequestStep.ResolveScope step) {
                        return step.known("tenant");
                    }

                    @Override
                    public RequestStep readBody(RequestStep.ReadBody step) {
                        bodies.incrementAndGet();
                        return step.whole(Payload.of(new byte[0]));
                    }
                });
    }

    private static List<OperationMode> modes() {
        return List.of(OperationMode.leased(LeaseExpiryPolicy.RESUME), OperationMode.flow());
    }

    @ParameterizedTest
    @MethodSource("modes")
    void requestIsRefusedBeforeItsBodyIsRead(OperationMode mode) {
        var refused = (RequestDecision.ImmediateResponse) send(mode, KeyRequirement.REQUIRED, "late", PATIENCE);

        assertThat(refused.reply().status()).isEqualTo(503);
        assertThat(refused.reply().headers())
                .anySatisfy(header -> assertThat(header.name()).isEqualTo("Retry-After"));
        assertThat(bodies).hasValue(0);
        assertThat(claims).hasValue(2);
        assertThat(overloads()).hasSize(1);
    }

    @Test
    void observedRequestPasses() {
        assertThat(send(KeyRequirement.OBSERVE, "late", PATIENCE)).isInstanceOf(RequestDecision.PassThrough.class);
    }

    private List<RefrainEvent> overloads() {
        return Stream.of(events.toArray(RefrainEvent[]::new))
                .filter(RefrainEvent.StoreOverloaded.class::isInstance)
                .toList();
    }
}
