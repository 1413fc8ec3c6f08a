package dev.refrain.http.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.Refrain;
import dev.refrain.Settings;
import dev.refrain.fingerprint.Fingerprinter;
import dev.refrain.http.key.KeySource;
import dev.refrain.http.key.KeySyntax;
import dev.refrain.http.policy.InFlightPolicy;
import dev.refrain.http.policy.Mode;
import dev.refrain.http.policy.Policy;
import dev.refrain.http.policy.Requirement;
import dev.refrain.http.policy.Route;
import dev.refrain.key.KeyRules;
import dev.refrain.observe.Event;
import dev.refrain.outcome.Profile;
import dev.refrain.store.Store;
import dev.refrain.store.TakeOver;
import dev.refrain.store.memory.MemoryStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** An edge with all routes that the cases need, a handler that each case sets, and what happened. */
public final class Stage implements AutoCloseable {

    /** What the routes hold: their paths say what is special about them. */
    public static final List<Route> ROUTES = routes();

    private static final int LARGE = 4096;

    private final TroubledStore troubled;
    private final Refrain refrain;
    private final Edge edge;
    private final AtomicInteger runs = new AtomicInteger();
    private final Queue<Event> events = new ConcurrentLinkedQueue<>();
    private final Queue<Asked> asked = new ConcurrentLinkedQueue<>();
    private volatile Handler handler = asked -> Given.of(200, "ok");

    private Stage(Store store, Edge.Starter starter) throws Exception {
        troubled = new TroubledStore(store);
        refrain = Refrain.using(troubled.store(), Settings.defaults().with(events::add));
        edge = starter.start(refrain, ROUTES, request -> {
            asked.add(request);
            runs.incrementAndGet();
            return handler.handle(request);
        });
    }

    public static Stage of(Edge.Starter starter) {
        try {
            return new Stage(new MemoryStore(), starter);
        } catch (Exception e) {
            throw new AssertionError("The edge does not start.", e);
        }
    }

    private static List<Route> routes() {
        var leased = Policy.of(Mode.leased(TakeOver.RESUME));
        return List.of(
                Route.of("POST,PATCH,PUT /orders/**", leased),
                Route.of("POST /strict", leased.key(key -> key.with(KeySyntax.STRICT))),
                Route.of("POST /optional", leased.key(key -> key.with(Requirement.OPTIONAL))),
                Route.of("POST /mint", leased.key(key -> key.with(Requirement.MINT))),
                Route.of("POST /observe", leased.key(key -> key.with(Requirement.OBSERVE))),
                Route.of(
                        "POST /named",
                        leased.key(key -> key.withSources(
                                KeySource.STANDARD,
                                KeySource.header("X-Idempotency-Key"),
                                KeySource.header("PayPal-Request-Id"),
                                KeySource.bodyField("requestId")))),
                Route.of(
                        "POST /body-key",
                        leased.key(key -> key.with(Requirement.OPTIONAL).withSources(KeySource.bodyField("requestId")))),
                Route.of("POST /long-keys", leased.key(key -> key.with(KeyRules.DEFAULT.lengths(16, 64)))),
                Route.of("POST /stripe", leased.replay(keep -> keep.with(Profile.STRIPE))),
                Route.of("POST /square", leased.replay(keep -> keep.with(Profile.SQUARE))),
                Route.of("POST /success-only", leased.replay(keep -> keep.with(Profile.SUCCESS_ONLY))),
                Route.of("POST /adyen", leased.replay(keep -> keep.with(Profile.ADYEN))),
                Route.of("POST /wait", leased.run(run -> run.with(new InFlightPolicy.Wait(Duration.ofSeconds(10))))),
                Route.of(
                        "POST /wait-briefly",
                        leased.run(run -> run.with(new InFlightPolicy.Wait(Duration.ofMillis(200))))),
                Route.of("POST /async", leased.run(run -> run.with(new InFlightPolicy.Async()))),
                Route.of(
                        "POST /hold",
                        Policy.of(Mode.leased(TakeOver.HOLD))
                                .run(run -> run.withLease(Duration.ofSeconds(1)).withMaxRun(Duration.ofSeconds(1)))),
                Route.of(
                        "POST /small",
                        leased.request(request -> request.withMaxBytes(100)).replay(keep -> keep.withMaxBytes(LARGE))),
                Route.of("POST /state-only", leased.replay(keep -> keep.withStateOnly())),
                Route.of("POST /unmarked", leased.withoutReplayHeader()),
                Route.of(
                        "POST /fields",
                        leased.request(request -> request.with(
                                Fingerprinter.builder().exclude("/sentAt").build()))),
                Route.of("POST /hidden", leased.replay(keep -> keep.withHiddenHeaders(java.util.Set.of("X-Request-Id")))),
                Route.of("POST /impatient", leased.run(run -> run.withPatience(Duration.ofMillis(300)))),
                Route.of(
                        "POST /fail-open",
                        leased.run(run -> run.withPatience(Duration.ofMillis(300)).withFailOpen())));
    }

    /** Before each case: nothing of the one before is left. */
    void reset() {
        handler = request -> Given.of(200, "ok");
        troubled.endOutage();
        runs.set(0);
        events.clear();
        asked.clear();
    }

    void setHandler(Handler other) {
        handler = other;
    }

    void setHandler(Given given) {
        handler = request -> given;
    }

    Edge edge() {
        return edge;
    }

    Refrain refrain() {
        return refrain;
    }

    TroubledStore troubled() {
        return troubled;
    }

    int runs() {
        return runs.get();
    }

    /** The last request that reached the handler. */
    Asked lastAsked() {
        return asked.stream().reduce((first, second) -> second).orElseThrow();
    }

    <E extends Event> List<E> events(Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    static String newKey() {
        return UUID.randomUUID().toString();
    }

    RawAnswer send(RawRequest request) {
        try (var wire = new Wire(edge.port())) {
            wire.send(request);
            return wire.receive();
        } catch (IOException e) {
            throw new AssertionError(request.toString(), e);
        }
    }

    CompletableFuture<RawAnswer> sendLater(RawRequest request) {
        var answer = new CompletableFuture<RawAnswer>();
        Thread.startVirtualThread(() -> {
            try {
                answer.complete(send(request));
            } catch (Throwable e) {
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    /** A handler that stays inside until it is let go. */
    final class Gate implements AutoCloseable {
        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch open = new CountDownLatch(1);

        Gate(Given given) {
            setHandler(request -> {
                entered.countDown();
                if (!open.await(20, TimeUnit.SECONDS)) {
                    throw new AssertionError("Nobody opened the gate.");
                }
                return given;
            });
        }

        void awaitEntered() throws InterruptedException {
            assertThat(entered.await(10, TimeUnit.SECONDS))
                    .as("the handler runs")
                    .isTrue();
        }

        @Override
        public void close() {
            open.countDown();
        }
    }

    @Override
    public void close() throws Exception {
        edge.close();
        refrain.close(Duration.ofSeconds(5));
        troubled.store().close();
    }
}
