package dev.refrain.http.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import dev.refrain.api.ScopedKey;
import dev.refrain.http.KeyPolicy;
import dev.refrain.http.KeyRequirement;
import dev.refrain.http.KeySource;
import dev.refrain.http.OperationMode;
import dev.refrain.http.Route;
import dev.refrain.http.RoutePolicy;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainListener;
import dev.refrain.store.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The stages of a request, in their order, without any server. */
class RequestWalkTest {

    private static final String KEY = "Idempotency-Key";

    private final List<RefrainEvent> events = new ArrayList<>();
    private final Refrain refrain =
            Refrain.using(new MemoryStore(), RefrainSettings.defaults().with(new RefrainListener() {
                @Override
                public void onEvent(RefrainEvent event) {
                    events.add(event);
                }
            }));
    private final AtomicInteger keyReads = new AtomicInteger();
    private final List<String> taken = new ArrayList<>();
    private final List<LeasedExchange> open = new ArrayList<>();

    private final BufferBudget budget = BufferBudget.of(8 << 20);
    private final BufferReservation memory = budget.open("peer");

    private Optional<String> scope = Optional.of("tenant");
    private String body = "{}";

    @AfterEach
    void close() {
        open.stream().filter(exchange -> !exchange.hasEnded()).forEach(LeasedExchange::abandon);
        refrain.close();
    }

    private RouteProtection route(UnaryOperator<KeyPolicy> key) {
        var policy =
                RoutePolicy.of(OperationMode.leased(LeaseExpiryPolicy.RESUME)).key(key);
        return RouteProtection.of(refrain, Route.of("POST /pay", policy), ContractAndStatusPaths.DEFAULT, null);
    }

    private RouteProtection route(KeyRequirement requirement) {
        return route(key -> key.with(requirement));
    }

    private RequestHead head(String... keys) {
        return new RequestHead("POST", "/pay", "", "application/json", name -> {
            if (!name.equalsIgnoreCase(KEY)) {
                return List.of();
            }
            keyReads.incrementAndGet();
            return List.of(keys);
        });
    }

    /** Does each step as a blocking edge would, and notes which it was. */
    private RequestDecision walk(RequestStep first) {
        var decision = first.decide(new RequestStep.BlockingTranslation<RuntimeException>() {
            @Override
            public RequestStep resolveScope(RequestStep.ResolveScope step) {
                taken.add("scope");
                return scope.map(step::known).orElseGet(step::unknown);
            }

            @Override
            public RequestStep readBody(RequestStep.ReadBody step) {
                taken.add("body");
                byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
                if (!step.memory().tryReserve(bytes.length)) {
                    return step.noMemory();
                }
                return bytes.length > step.maxBytes() ? step.tooLarge() : step.whole(Payload.of(bytes));
            }
        });
        if (decision instanceof LeasedExchange exchange) {
            open.add(exchange);
        }
        return decision;
    }

    private static ResponseOrigin origin(RequestDecision decision) {
        return switch (decision) {
            case RequestDecision.PassThrough free -> free.origin();
            case RequestDecision.ImmediateResponse answered -> answered.reply().origin();
            default -> new ResponseOrigin.RanNow();
        };
    }

    private static ResponseOrigin refusedFor(EdgeProblem problem) {
        return new ResponseOrigin.RefusedFor(problem);
    }

    @Test
    void keyIsParsedOnce() {
        assertThat(walk(route(KeyRequirement.REQUIRED).begin(head("k"), memory)))
                .isInstanceOf(LeasedExchange.class);
        assertThat(keyReads).hasValue(1);
        assertThat(taken).containsExactly("scope", "body");
    }

    @Test
    void keyThatMayBeInTheBodyIsParsedOnceAfterIt() {
        var route = route(key -> key.withSources(new KeySource.Header(KEY), new KeySource.BodyField("id")));
        body = "{\"id\":\"k\"}";
        assertThat(walk(route.begin(head(), memory))).isInstanceOf(LeasedExchange.class);
        assertThat(keyReads).hasValue(1);
    }

    @Test
    void requestWithoutKeyWhereNoneIsNeededPassesUnread() {
        var passed = walk(route(KeyRequirement.OPTIONAL).begin(head(), memory));
        assertThat(passed).isEqualTo(RequestDecision.PassThrough.unprotected());
        assertThat(taken).isEmpty();
    }

    @Test
    void unknownCallerIsRefusedBeforeAnythingIsSaidOfTheKey() {
        scope = Optional.empty();
        assertThat(origin(walk(route(KeyRequirement.REQUIRED).begin(head(), memory))))
                .isEqualTo(refusedFor(EdgeProblem.CALLER_UNKNOWN));
    }

    @Test
    void keyThatIsMissingOrUnusableIsRefusedBeforeTheBodyIsRead() {
        assertThat(origin(walk(route(KeyRequirement.REQUIRED).begin(head(), memory))))
                .isEqualTo(refusedFor(EdgeProblem.KEY_MISSING));
        assertThat(origin(walk(route(KeyRequirement.REQUIRED).begin(head("a", "b"), memory))))
                .isEqualTo(refusedFor(EdgeProblem.KEY_REPEATED));
        assertThat(taken).doesNotContain("body");
    }

    @Test
    void bodyThatIsTooLargeIsRefusedBeforeTheClaim() {
        body = "x".repeat((1 << 20) + 1);
        var route = route(KeyRequirement.REQUIRED);
        assertThat(origin(walk(route.begin(head("k"), memory)))).isEqualTo(refusedFor(EdgeProblem.REQUEST_TOO_LARGE));
        body = "{}";
        assertThat(walk(route.begin(head("k"), memory))).isInstanceOf(LeasedExchange.class);
    }

    @Test
    void unavailableScopeResolverIsAnUnavailableStore() {
        var step = (RequestStep.ResolveScope) route(KeyRequirement.REQUIRED).begin(head("k"), memory);
        assertThat(origin(walk(step.unavailable()))).isEqualTo(refusedFor(EdgeProblem.STORE_UNAVAILABLE));
    }

    @Test
    void observingRefusesNothing() {
        var route = route(KeyRequirement.OBSERVE);
        var observed = new RequestDecision.PassThrough(new ResponseOrigin.OnlyObserved());

        assertThat(walk(route.begin(head(), memory))).isEqualTo(observed);
        assertThat(walk(route.begin(head("a", "b"), memory))).isEqualTo(observed);
        assertThat(walk(((RequestStep.ResolveScope) route.begin(head("k"), memory)).unavailable()))
                .isEqualTo(observed);
        body = "x".repeat((1 << 20) + 1);
        assertThat(walk(route.begin(head("k"), memory))).isEqualTo(observed);
        scope = Optional.empty();
        assertThat(walk(route.begin(head("k"), memory))).isEqualTo(observed);
        assertThat(events).noneMatch(RefrainEvent.Refused.class::isInstance);
    }

    @Test
    void keyIsMadeOnlyForARequestThatIsClaimed() {
        var route = route(KeyRequirement.MINT);
        body = "x".repeat((1 << 20) + 1);
        walk(route.begin(head(), memory));
        assertThat(events).noneMatch(RefrainEvent.KeyGenerated.class::isInstance);

        body = "{}";
        var exchange = (LeasedExchange) walk(route.begin(head(), memory));
        assertThat(exchange.extraHeaders()).hasSize(1);
    }

    @Test
    void answerSaysWhatItIs() {
        var route = route(KeyRequirement.REQUIRED);
        var first = (LeasedExchange) walk(route.begin(head("k"), memory));

        assertThat(origin(walk(route.begin(head("k"), memory)))).isEqualTo(new ResponseOrigin.StillRunning());

        var ended = first.complete(Outcome.Answer.of(201, new byte[] {1}));
        assertThat(ended).isEqualTo(new ResponseDecision.HandlerResponse(new ResponseOrigin.RanNow()));
        assertThat(origin(walk(route.begin(head("k"), memory)))).isEqualTo(new ResponseOrigin.StoredReplay(false));

        body = "{\"other\":1}";
        assertThat(origin(walk(route.begin(head("k"), memory)))).isEqualTo(refusedFor(EdgeProblem.KEY_REUSED));
    }

    @Test
    void stepIsAnsweredOnce() {
        var scopeStep =
                (RequestStep.ResolveScope) route(KeyRequirement.REQUIRED).begin(head("k"), memory);
        var bodyStep = (RequestStep.ReadBody) scopeStep.known("tenant");
        bodyStep.whole(Payload.of(new byte[0]));
        assertThatThrownBy(() -> bodyStep.whole(Payload.of(new byte[0]))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void bodyWithoutMemoryIsRefusedBeforeTheClaim() {
        budget.open("peer").count(budget.maxBytes());
        var route = route(KeyRequirement.REQUIRED);
        var refused = (RequestDecision.ImmediateResponse) walk(route.begin(head("k"), memory));

        assertThat(origin(refused)).isEqualTo(refusedFor(EdgeProblem.BUFFERS_FULL));
        assertThat(refused.reply().status()).isEqualTo(503);
        assertThat(refused.reply().toAnswer().header("Retry-After")).contains("1");
        assertThat(events).singleElement().isEqualTo(new RefrainEvent.Refused("POST /pay", "buffers-full"));
        assertThat(refrain.admin().find(new ScopedKey("tenant", RouteProtection.NAMESPACE, "k")))
                .isEmpty();
    }

    @Test
    void bodyWithoutMemoryPassesWhereRequestsAreOnlyObserved() {
        budget.open("peer").count(budget.maxBytes());

        assertThat(walk(route(KeyRequirement.OBSERVE).begin(head("k"), memory)))
                .isEqualTo(new RequestDecision.PassThrough(new ResponseOrigin.OnlyObserved()));
    }

    @Test
    void largeReplayIsHeldUntilItIsSentAndRefusedWithoutMemory() {
        var route = route(KeyRequirement.REQUIRED);
        var first = (LeasedExchange) walk(route.begin(head("k"), memory));
        first.complete(Outcome.Answer.of(201, new byte[100_000]));
        memory.close();
        var retry = budget.open("peer");

        assertThat(origin(walk(route.begin(head("k"), retry)))).isEqualTo(new ResponseOrigin.StoredReplay(false));
        assertThat(budget.heldBytes()).isGreaterThanOrEqualTo(100_000);
        retry.close();
        assertThat(budget.heldBytes()).isZero();

        budget.open("other").count(budget.maxBytes() - 50_000);
        assertThat(origin(walk(route.begin(head("k"), budget.open("peer")))))
                .isEqualTo(refusedFor(EdgeProblem.BUFFERS_FULL));
    }
}
