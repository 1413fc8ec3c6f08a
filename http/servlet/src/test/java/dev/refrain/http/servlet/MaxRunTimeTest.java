package dev.refrain.http.servlet;

import static dev.refrain.http.cases.RawHttpRequest.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.ScopedKey;
import dev.refrain.http.OperationMode;
import dev.refrain.http.RoutePolicy;
import dev.refrain.http.cases.EdgeUnderTest;
import dev.refrain.http.cases.RawHttpConnection;
import dev.refrain.http.cases.RawHttpResponse;
import dev.refrain.http.edge.BufferBudget;
import dev.refrain.http.edge.RouteProtection;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.store.RecordState;
import dev.refrain.store.memory.MemoryStore;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A leased handler that still runs after its maximum run time. */
class MaxRunTimeTest {

    private static final Duration SHORT = Duration.ofSeconds(1);

    /** What the servlet does. */
    @FunctionalInterface
    interface Work {
        void run(HttpServletRequest request, HttpServletResponse response) throws Exception;
    }

    private final MemoryStore store = new MemoryStore();
    private final AtomicInteger overruns = new AtomicInteger();
    private final AtomicInteger runs = new AtomicInteger();
    private final Refrain refrain =
            Refrain.using(store, RefrainSettings.defaults().with(event -> {
                if (event instanceof RefrainEvent.MaxRunTimeExceeded) {
                    overruns.incrementAndGet();
                }
            }));
    private final BufferBudget budget = BufferBudget.ofHeap();
    private final String key = UUID.randomUUID().toString();
    private EdgeUnderTest edge;

    private void start(boolean jetty, Work work) throws Exception {
        var filter = RefrainFilter.builder(refrain)
                .bufferBudget(budget)
                .scope(ScopeResolver.shared())
                .route(
                        "POST /payments",
                        RoutePolicy.of(OperationMode.leased(LeaseExpiryPolicy.HOLD))
                                .run(run -> run.withLease(SHORT).withMaxRunTime(SHORT)))
                .build();
        var servlet = new HttpServlet() {
            private static final long serialVersionUID = 1L;

            @Override
            protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
                runs.incrementAndGet();
                try {
                    work.run(request, response);
                } catch (IOException | RuntimeException e) {
                    throw e;
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        };
        edge = jetty ? JettyEdge.start(filter, servlet) : TomcatEdge.start(List.of(filter), servlet);
    }

    @AfterEach
    void close() throws Exception {
        await().untilAsserted(() -> assertThat(budget.heldBytes()).isZero());
        edge.close();
        refrain.close();
        store.close();
    }

    private RecordState state() {
        return refrain.admin()
                .find(new ScopedKey("", RouteProtection.NAMESPACE, key))
                .orElseThrow()
                .state();
    }

    private static AsyncContext startWithoutTimeout(HttpServletRequest request) {
        var context = request.startAsync();
        context.setTimeout(0);
        return context;
    }

    /** Whatever the handler does with its request afterwards: the container reuses its objects for the next one. */
    @ParameterizedTest
    @CsvSource({"true, complete", "true, dispatch", "false, complete", "false, dispatch"})
    void clientOfAnAsynchronousHandlerIsAnsweredOnceAndTheLateHandlerSendsNothing(boolean jetty, String end)
            throws Exception {
        var waiting = new CompletableFuture<AsyncContext>();
        var answer = new CompletableFuture<HttpServletResponse>();
        start(jetty, (request, response) -> {
            if (waiting.isDone()) {
                response.getOutputStream().print("the next request");
                return;
            }
            response.setHeader("X-From", "the handler");
            answer.complete(response);
            waiting.complete(startWithoutTimeout(request));
        });

        var told = send(key);

        assertThat(told.status()).isEqualTo(503);
        assertThat(told.body()).contains("still-running", "\"retryable\":true", "same key");
        assertThat(told.header("Retry-After")).isPresent();
        assertThat(told.header("X-From")).isEmpty();
        await().until(() -> overruns.get() == 1);

        var late = answer.join();
        late.setStatus(201);
        late.setHeader("X-From", "the handler");
        late.getOutputStream().print("paid");
        if (end.equals("complete")) {
            waiting.join().complete();
        } else {
            waiting.join().dispatch();
        }
        var next = send(UUID.randomUUID().toString());

        assertThat(next.body()).isEqualTo("the next request");
        assertThat(next.header("X-From")).isEmpty();
        assertThat(state()).as("its lease decides").isEqualTo(RecordState.IN_PROGRESS);
        assertThat(runs).hasValue(2);
    }

    private RawHttpResponse send(String key) throws IOException {
        try (var wire = new RawHttpConnection(edge.port())) {
            wire.send(post("/payments").key(key));
            return wire.receive();
        }
    }

    /** The client has its head and a part of its body: another answer cannot follow. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void streamOfAnAsynchronousHandlerGoesOn(boolean jetty) throws Exception {
        start(jetty, (request, response) -> {
            response.setContentType("text/event-stream");
            var context = startWithoutTimeout(request);
            Thread.startVirtualThread(() -> {
                try {
                    response.getOutputStream().print("data: 1\n\n");
                    response.flushBuffer();
                    await().until(() -> overruns.get() > 0);
                    response.getOutputStream().print("data: 2\n\n");
                } catch (IOException e) {
                    throw new AssertionError(e);
                } finally {
                    context.complete();
                }
            });
        });

        assertThat(send(key).body()).isEqualTo("data: 1\n\ndata: 2\n\n");
        await().until(() -> state() == RecordState.COMPLETED);
    }

    /** A handler that occupies the request's thread: no other thread may answer, and its late outcome is stored. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void clientOfAHandlerOnTheThreadOfItsRequestWaitsForIt(boolean jetty) throws Exception {
        var over = new CountDownLatch(1);
        start(jetty, (request, response) -> {
            over.await();
            response.setStatus(201);
            response.getOutputStream().print("paid");
        });

        try (var wire = new RawHttpConnection(edge.port())) {
            wire.send(post("/payments").key(key));
            await().until(() -> overruns.get() > 0);
            over.countDown();
            assertThat(wire.receive().body()).isEqualTo("paid");
        }
        assertThat(state()).isEqualTo(RecordState.COMPLETED);
    }
}
