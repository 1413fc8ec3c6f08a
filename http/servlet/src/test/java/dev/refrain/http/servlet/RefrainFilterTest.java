package dev.refrain.http.servlet;

import static dev.refrain.http.cases.RawHttpRequest.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.api.AsyncRun;
import dev.refrain.api.ClaimRef;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.api.ScopedKey;
import dev.refrain.http.OperationMode;
import dev.refrain.http.OutcomeProfile;
import dev.refrain.http.Route;
import dev.refrain.http.RoutePolicy;
import dev.refrain.http.cases.EdgeUnderTest;
import dev.refrain.http.cases.RawHttpConnection;
import dev.refrain.http.cases.RawHttpRequest;
import dev.refrain.http.cases.RawHttpResponse;
import dev.refrain.http.contract.PublishedRouteContract;
import dev.refrain.http.edge.BufferBudget;
import dev.refrain.http.edge.ContractAndStatusPaths;
import dev.refrain.http.edge.RouteProtection;
import dev.refrain.http.edge.TransactionalRunner;
import dev.refrain.store.OutcomeFormat;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.memory.MemoryStore;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The filter among others, in front of servlets that misbehave. */
class RefrainFilterTest {

    /** What the servlet does. */
    @FunctionalInterface
    interface Work {
        void run(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException;
    }

    private final MemoryStore store = new MemoryStore();
    private final Refrain refrain = Refrain.using(store);
    private final BufferBudget budget = BufferBudget.ofHeap();
    private final AtomicInteger runs = new AtomicInteger();
    private EdgeUnderTest edge;

    private RefrainFilterBuilder leased() {
        return RefrainFilter.builder(refrain)
                .bufferBudget(budget)
                .scope(ScopeResolver.shared())
                .route("POST /payments", RoutePolicy.of(OperationMode.leased(LeaseExpiryPolicy.RESUME)));
    }

    private void start(List<Filter> filters, Work work) throws Exception {
        edge = TomcatEdge.start(filters, servlet(work));
    }

    private void start(boolean jetty, Filter filter, Work work) throws Exception {
        edge = jetty ? JettyEdge.start(filter, servlet(work)) : TomcatEdge.start(List.of(filter), servlet(work));
    }

    private HttpServlet servlet(Work work) {
        return new HttpServlet() {
            private static final long serialVersionUID = 1L;

            @Override
            protected void service(HttpServletRequest request, HttpServletResponse response)
                    throws IOException, ServletException {
                runs.incrementAndGet();
                work.run(request, response);
            }
        };
    }

    @AfterEach
    void close() throws Exception {
        await().untilAsserted(() -> assertThat(budget.heldBytes()).isZero());
        edge.close();
        refrain.close();
        store.close();
    }

    private RawHttpResponse send(RawHttpRequest request) throws IOException {
        try (var wire = new RawHttpConnection(edge.port())) {
            wire.send(request);
            return wire.receive();
        }
    }

    /** On a connection that stays. Where it is to end after the answer, Jetty does not say where that ends. */
    private RawHttpResponse sendAndStay(String key) throws IOException {
        try (var wire = new RawHttpConnection(edge.port())) {
            String head = "POST /payments HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: " + key
                    + "\r\nContent-Length: 0\r\n\r\n";
            wire.write(head.getBytes(StandardCharsets.US_ASCII));
            return wire.receive();
        }
    }

    private static RawHttpRequest payment() {
        return post("/payments").key(UUID.randomUUID().toString());
    }

    /** As those of Spring Security do, for what a handler's own annotation refuses. */
    private static final Filter FORBIDDING = (request, response, chain) -> {
        try {
            chain.doFilter(request, response);
        } catch (SecurityException refused) {
            ((HttpServletResponse) response).sendError(403);
        }
    };

    private void startForbidding(OutcomeProfile profile) throws Exception {
        var filter = RefrainFilter.builder(refrain)
                .scope(ScopeResolver.shared())
                .route(
                        "POST /payments",
                        RoutePolicy.of(OperationMode.leased(LeaseExpiryPolicy.RESUME))
                                .replay(keep -> keep.with(profile)))
                .build();
        start(List.of(FORBIDDING, filter), (request, response) -> {
            throw new SecurityException("not you");
        });
    }

    @Test
    void errorPageOfAnOuterFilterIsTheAnswerAndTheKeyIsFree() throws Exception {
        startForbidding(OutcomeProfile.DEFAULT);
        var request = payment();

        assertThat(send(request).status()).isEqualTo(403);
        assertThat(send(request).status()).isEqualTo(403);
        assertThat(runs).hasValue(2);
    }

    /** The handler ran, and nobody here knows what it did before it threw. */
    @Test
    void exceptionIsTheAnswerForTheFirstAndForARetryWhereFailuresAreKept() throws Exception {
        startForbidding(OutcomeProfile.STRIPE);
        var request = payment();

        var first = send(request);
        var again = send(request);

        assertThat(first.status()).isEqualTo(500);
        assertThat(again.replayed()).isTrue();
        assertThat(again.body()).isEqualTo(first.body()).contains("handler-failed");
        assertThat(runs).hasValue(1);
    }

    private static final String FORM = "application/x-www-form-urlencoded";

    /** As filters against forged requests do. The body is then gone, and every form would look the same. */
    @Test
    void formThatAnotherFilterHasReadStillCounts() throws Exception {
        Filter reading = (request, response, chain) -> {
            request.getParameter("token");
            chain.doFilter(request, response);
        };
        start(
                List.of(reading, leased().build()),
                (request, response) -> response.getWriter().print(request.getParameter("amount")));
        var request = payment();

        assertThat(send(request.body(FORM, "amount=1")).body()).isEqualTo("1");
        assertThat(send(request.body(FORM, "amount=2")).status()).isEqualTo(422);
        assertThat(send(request.body(FORM, "amount=1")).replayed()).isTrue();
        assertThat(runs).hasValue(1);
    }

    /** Nothing is left to compare, so nothing may run. */
    @Test
    void bodyThatAnotherFilterHasReadIsNotTakenForAnEmptyOne() throws Exception {
        Filter reading = (request, response, chain) -> {
            request.getInputStream().readAllBytes();
            chain.doFilter(request, response);
        };
        start(List.of(reading, leased().build()), (request, response) -> {});

        assertThat(send(payment().json("{\"amount\":1}")).status()).isEqualTo(500);
        assertThat(runs).hasValue(0);
    }

    /** The container leads all of these to the same servlet. */
    @Test
    void pathWrittenInAnotherWayIsProtectedAsWell() throws Exception {
        start(List.of(leased().build()), (request, response) -> {});

        for (String path : List.of(
                "/payments",
                "/p%61yments",
                "/./payments",
                "/x/../payments",
                "//payments",
                "/payments;a=b",
                "/payments/")) {
            assertThat(send(post(path)).status()).as(path).isEqualTo(400);
        }
        assertThat(runs).hasValue(0);
    }

    @Test
    void errorPageThatFailsLeavesNoClaimBehind() throws Exception {
        var failing = new AtomicInteger(1);
        var filter = leased().errorWriter((request, response, status, message) -> {
                    if (failing.getAndDecrement() > 0) {
                        throw new IllegalStateException("no page");
                    }
                })
                .build();
        start(List.of(filter), (request, response) -> response.sendError(402, "declined"));
        var request = payment();

        assertThat(send(request).status()).isEqualTo(500);
        assertThat(send(request).status()).isEqualTo(402);
        assertThat(send(request).replayed()).isTrue();
    }

    /** The container has given up on the answer; the work has not ended, and a second one must not begin beside it. */
    @Test
    void workThatOutlivesItsRequestIsNotStartedAgainBesideItself() throws Exception {
        var done = new CountDownLatch(1);
        start(List.of(leased().build()), (request, response) -> {
            var context = request.startAsync();
            context.setTimeout(200);
            Thread.startVirtualThread(() -> {
                try {
                    done.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
        });
        var request = payment();

        assertThat(send(request).status()).isEqualTo(500);
        var again = send(request);

        assertThat(again.status()).isEqualTo(409);
        assertThat(again.body()).contains("in-progress");
        assertThat(runs).hasValue(1);
        done.countDown();
    }

    @Test
    void bodyWrittenAfterAnErrorIsNotSent() throws Exception {
        start(List.of(leased().build()), (request, response) -> {
            response.sendError(403, "no");
            response.getWriter().print("the account's balance");
        });
        var request = payment();

        assertThat(send(request).body()).contains("403").doesNotContain("balance");
        assertThat(send(request).body()).contains("403").doesNotContain("balance");
    }

    /** A chain of filters can be gone through once. */
    @Test
    void handlerWhoseTransactionWasLostDoesNotRunAgainPastTheFiltersBehind() throws Exception {
        var passed = new AtomicInteger();
        Filter outer = (request, response, chain) -> {
            ((HttpServletResponse) response).setHeader("X-Frame-Options", "DENY");
            chain.doFilter(request, response);
        };
        Filter behind = (request, response, chain) -> {
            passed.incrementAndGet();
            chain.doFilter(request, response);
        };
        var twice = new TransactionalRunner() {
            @Override
            public <X extends Exception> OperationResult attempt(OperationCall call, TransactionalHandler<X> handler)
                    throws X {
                var run = (AsyncRun) refrain.operation("any")
                        .leased(LeaseExpiryPolicy.RESUME)
                        .startAsync(call);
                try {
                    handler.run(run.claim());
                    return new OperationResult.Ran(handler.run(run.claim()));
                } finally {
                    run.abandon();
                }
            }
        };
        var route = Route.of("POST /payments", RoutePolicy.of(OperationMode.transactional()));
        var protection = RouteProtection.of(refrain, route, ContractAndStatusPaths.DEFAULT, operation -> twice);
        var filter = RefrainFilter.builder(refrain)
                .scope(ScopeResolver.shared())
                .routes(
                        RouteFinder.firstOf(List.of(protection)),
                        () -> new PublishedRouteContract(List.of(route), ContractAndStatusPaths.DEFAULT))
                .build();
        start(List.of(outer, filter, behind), (request, response) -> {});

        var answer = send(payment());

        assertThat(runs.get()).isEqualTo(passed.get());
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.header("X-Frame-Options")).contains("DENY");
    }

    /** What is stored is another answer than the one that the client has nearly all of. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void largeAnswerThatIsNotTheOutcomeIsNotEndedAsIfItWere(boolean jetty) throws Exception {
        var key = UUID.randomUUID().toString();
        Work work = (request, response) -> {
            var context = request.startAsync();
            var claim = RefrainFilter.claim(request).orElseThrow();
            Thread.startVirtualThread(() -> {
                try {
                    response.getOutputStream().write(new byte[2 << 20]);
                    var lookup = new ScopedKey("", RouteProtection.NAMESPACE, key).hash();
                    store.write(List.of(new RecordWrite.Complete(
                            new ClaimRef(lookup, claim.recordId(), claim.fence()),
                            Optional.of(OutcomeFormat.encode(Outcome.Answer.of(202, new byte[0]))),
                            Optional.empty())));
                } catch (IOException e) {
                    throw new AssertionError(e);
                } finally {
                    context.complete();
                }
            });
        };
        start(jetty, leased().build(), work);

        assertThatThrownBy(() -> sendAndStay(key)).isInstanceOf(IOException.class);
        assertThat(send(post("/payments").key(key)).status()).isEqualTo(202);
    }
}
