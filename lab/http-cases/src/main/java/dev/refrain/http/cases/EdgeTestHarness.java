package dev.refrain.http.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.KeyRules;
import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.RequestFingerprinter;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.http.InFlightPolicy;
import dev.refrain.http.KeptRequestPolicy;
import dev.refrain.http.KeptRequestRule;
import dev.refrain.http.KeyRequirement;
import dev.refrain.http.KeySource;
import dev.refrain.http.KeySyntax;
import dev.refrain.http.OperationMode;
import dev.refrain.http.OutcomeProfile;
import dev.refrain.http.Route;
import dev.refrain.http.RoutePolicy;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.store.Store;
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
import java.util.stream.Stream;

/** An edge with all routes that the cases need, a handler that each case sets, and what happened. */
public final class EdgeTestHarness implements AutoCloseable {

    /** What the routes hold: their paths say what is special about them. */
    public static final List<Route> ROUTES = routes();

    private static final int LARGE = 4096;

    private final StoreOutageSimulator troubled;
    private final Refrain refrain;
    private final EdgeUnderTest edge;
    private final AtomicInteger runs = new AtomicInteger();
    private final Queue<RefrainEvent> events = new ConcurrentLinkedQueue<>();
    private final Queue<TestHandlerRequest> asked = new ConcurrentLinkedQueue<>();
    private volatile TestHandler handler = asked -> TestHandlerResponse.of(200, "ok");

    private EdgeTestHarness(Store store, EdgeUnderTest.Starter starter) throws Exception {
        troubled = new StoreOutageSimulator(store);
        refrain = Refrain.using(troubled.store(), RefrainSettings.defaults().with(events::add));
        edge = starter.start(refrain, ROUTES, request -> {
            asked.add(request);
            runs.incrementAndGet();
            return handler.handle(request);
        });
    }

    public static EdgeTestHarness of(EdgeUnderTest.Starter starter) {
        try {
            return new EdgeTestHarness(new MemoryStore(), starter);
        } catch (Exception e) {
            throw new AssertionError("The edge does not start.", e);
        }
    }

    private static List<Route> routes() {
        var leased = RoutePolicy.of(OperationMode.leased(LeaseExpiryPolicy.RESUME));
        return Stream.of(keyRoutes(leased), runRoutes(leased), contentRoutes(leased))
                .flatMap(List::stream)
                .toList();
    }

    private static List<Route> keyRoutes(RoutePolicy leased) {
        return List.of(
                Route.of("POST,PATCH,PUT /orders/**", leased),
                Route.of("POST /strict", leased.key(key -> key.with(KeySyntax.STRICT))),
                Route.of("POST /optional", leased.key(key -> key.with(KeyRequirement.OPTIONAL))),
                Route.of("POST /mint", leased.key(key -> key.with(KeyRequirement.MINT))),
                Route.of("POST /observe", leased.key(key -> key.with(KeyRequirement.OBSERVE))),
                Route.of(
                        "POST /named",
                        leased.key(key -> key.withSources(
                                KeySource.STANDARD,
                                KeySource.header("X-Idempotency-Key"),
                                KeySource.header("PayPal-Request-Id"),
                                KeySource.bodyField("requestId")))),
                Route.of(
                        "POST /body-key",
                        leased.key(key ->
                                key.with(KeyRequirement.OPTIONAL).withSources(KeySource.bodyField("requestId")))),
                Route.of("POST /long-keys", leased.key(key -> key.with(KeyRules.DEFAULT.lengths(16, 64)))));
    }

    private static List<Route> contentRoutes(RoutePolicy leased) {
        return List.of(
                Route.of("POST /stripe", leased.replay(keep -> keep.with(OutcomeProfile.STRIPE))),
                Route.of("POST /square", leased.replay(keep -> keep.with(OutcomeProfile.SQUARE))),
                Route.of("POST /success-only", leased.replay(keep -> keep.with(OutcomeProfile.SUCCESS_ONLY))),
                Route.of("POST /adyen", leased.replay(keep -> keep.with(OutcomeProfile.ADYEN))),
                Route.of(
                        "POST /small",
                        leased.request(request -> request.withMaxRequestBytes(100))
                                .replay(keep -> keep.withMaxOutcomeBytes(LARGE))),
                Route.of("POST /state-only", leased.replay(keep -> keep.withKeepStateOnly())),
                Route.of("POST /unmarked", leased.withoutReplayHeader()),
                Route.of(
                        "POST /fields",
                        leased.request(request -> request.with(RequestFingerprinter.builder()
                                .ignoredFields("/sentAt")
                                .build()))),
                Route.of(
                        "POST /hidden",
                        leased.replay(keep -> keep.withHiddenHeaders(java.util.Set.of("X-Request-Id")))),
                Route.of(
                        "POST /kept",
                        leased.request(request -> request.with(KeptRequestPolicy.DEFAULT
                                .with(KeptRequestRule.ALWAYS)
                                .withRedactedFields(List.of("/card/number"))))));
    }

    private static List<Route> runRoutes(RoutePolicy leased) {
        return List.of(
                Route.of("POST /wait", leased.run(run -> run.with(new InFlightPolicy.Wait(Duration.ofSeconds(10))))),
                Route.of(
                        "POST /wait-briefly",
                        leased.run(run -> run.with(new InFlightPolicy.Wait(Duration.ofMillis(200))))),
                Route.of("POST /async", leased.run(run -> run.with(new InFlightPolicy.Async()))),
                Route.of("POST /hold", RoutePolicy.of(OperationMode.leased(LeaseExpiryPolicy.HOLD))),
                Route.of(
                        "POST /hold-briefly",
                        RoutePolicy.of(OperationMode.leased(LeaseExpiryPolicy.HOLD))
                                .run(run ->
                                        run.withLease(Duration.ofSeconds(1)).withMaxRunTime(Duration.ofSeconds(1)))),
                Route.of("POST /short-lease", leased.run(run -> run.withLease(Duration.ofSeconds(1)))),
                Route.of("POST /impatient", leased.run(run -> run.withStoreTimeout(Duration.ofMillis(300)))),
                Route.of(
                        "POST /fail-open",
                        leased.run(run ->
                                run.withStoreTimeout(Duration.ofMillis(300)).withFailOpen())));
    }

    /** Before each case: nothing of the one before is left. */
    void reset() {
        handler = request -> TestHandlerResponse.of(200, "ok");
        troubled.endOutage();
        runs.set(0);
        events.clear();
        asked.clear();
    }

    void setHandler(TestHandler other) {
        handler = other;
    }

    void setHandler(TestHandlerResponse given) {
        handler = request -> given;
    }

    EdgeUnderTest edge() {
        return edge;
    }

    Refrain refrain() {
        return refrain;
    }

    StoreOutageSimulator troubled() {
        return troubled;
    }

    int runs() {
        return runs.get();
    }

    /** The last request that reached the handler. */
    TestHandlerRequest lastAsked() {
        return asked.stream().reduce((first, second) -> second).orElseThrow();
    }

    <E extends RefrainEvent> List<E> events(Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    static String newKey() {
        return UUID.randomUUID().toString();
    }

    RawHttpResponse send(RawHttpRequest request) {
        try (var wire = new RawHttpConnection(edge.port())) {
            wire.send(request);
            return wire.receive();
        } catch (IOException e) {
            throw new AssertionError(request.toString(), e);
        }
    }

    /** Sends a HEAD request; its answer has no body, whatever its length says. */
    RawHttpResponse sendForHead(RawHttpRequest request) {
        try (var wire = new RawHttpConnection(edge.port())) {
            wire.send(request);
            return wire.receiveWithoutBody();
        } catch (IOException e) {
            throw new AssertionError(request.toString(), e);
        }
    }

    CompletableFuture<RawHttpResponse> sendLater(RawHttpRequest request) {
        var answer = new CompletableFuture<RawHttpResponse>();
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
    final class BlockedHandler implements AutoCloseable {
        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch open = new CountDownLatch(1);

        BlockedHandler(TestHandlerResponse given) {
            setHandler(request -> {
                entered.countDown();
                if (!open.await(1, TimeUnit.MINUTES)) {
                    throw new AssertionError("Nobody opened the gate.");
                }
                return given;
            });
        }

        void awaitEntered() throws InterruptedException {
            assertThat(entered.await(1, TimeUnit.MINUTES))
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
