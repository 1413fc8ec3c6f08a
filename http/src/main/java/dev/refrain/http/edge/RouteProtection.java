package dev.refrain.http.edge;

import dev.refrain.LeasedOperation;
import dev.refrain.Operation;
import dev.refrain.RecordAdmin;
import dev.refrain.Refrain;
import dev.refrain.api.AsyncRun;
import dev.refrain.api.AsyncRunStart;
import dev.refrain.api.ClientKey;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.api.RefrainException;
import dev.refrain.http.InFlightPolicy;
import dev.refrain.http.KeyRequirement;
import dev.refrain.http.OperationMode;
import dev.refrain.http.Route;
import dev.refrain.http.RoutePolicy;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainEvent.ObservedFinding;
import dev.refrain.observe.RefrainListener;
import dev.refrain.store.RecordExplanation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Protection of one route, independent of any framework. An edge begins a request here, takes the steps it receives, runs the
 * handler if the decision says so, and sends the response it receives. Thread-safe.
 */
public final class RouteProtection {

    /** Header that marks a replay. */
    public static final String REPLAYED = "Idempotent-Replayed";

    /**
     * Default namespace of HTTP keys. All routes of an API share one namespace, so a key that is reused on another path is
     * detected and rejected.
     */
    public static final String NAMESPACE = "http";

    private final Route route;
    private final List<String> steps;
    private final ProblemResponses problems;
    private final ResponseMapper responses;
    private final RequestKeyCheck keyCheck;
    private final RefrainListener listener;
    private final RecordAdmin records;
    private final String namespace;
    private final RouteStrategy strategy;
    private final Optional<KeptRequestCapture> capture;

    /**
     * How the route's requests run.
     *
     * @param overloaded whether a request of a scope would be refused now
     */
    private record RouteStrategy(Function<KeyedRequest, RequestDecision> claim, Predicate<String> overloaded) {

        /** Where only the claim itself finds out. */
        static RouteStrategy of(Function<KeyedRequest, RequestDecision> claim) {
            return new RouteStrategy(claim, scope -> false);
        }
    }

    private RouteProtection(
            Refrain refrain,
            String namespace,
            Route route,
            ContractAndStatusPaths places,
            List<String> steps,
            TransactionalRunner.@Nullable Factory transactions) {
        this.route = route;
        this.steps = List.copyOf(steps);
        problems = new ProblemResponses(places.contract());
        responses = new ResponseMapper(route, places, problems);
        listener = refrain.listener();
        records = refrain.admin();
        this.namespace = namespace;
        keyCheck = new RequestKeyCheck(route, problems, listener);
        strategy = strategy(operation(refrain, namespace, route), transactions);
        capture = observes() ? Optional.empty() : KeptRequestCapture.of(refrain, route);
    }

    /**
     * Creates the protection of a route.
     *
     * @param transactions runs transactional routes; null where there are none
     */
    public static RouteProtection of(
            Refrain refrain,
            Route route,
            ContractAndStatusPaths places,
            TransactionalRunner.@Nullable Factory transactions) {
        return of(refrain, NAMESPACE, route, places, transactions);
    }

    /** Creates the protection of a route whose keys are in another namespace, because they are in another store. */
    public static RouteProtection of(
            Refrain refrain,
            String namespace,
            Route route,
            ContractAndStatusPaths places,
            TransactionalRunner.@Nullable Factory transactions) {
        return new RouteProtection(refrain, namespace, route, places, List.of(), transactions);
    }

    /** Creates the protection of a leased route of one API among several that share a store. */
    public static RouteProtection leased(
            Refrain refrain, String namespace, Route route, ContractAndStatusPaths places) {
        return leased(refrain, namespace, route, places, List.of());
    }

    /**
     * Creates the protection of a leased route whose calls to other systems are known before it runs.
     *
     * @param steps the steps under whose derived keys it calls them; shown to people who look at its records
     */
    public static RouteProtection leased(
            Refrain refrain, String namespace, Route route, ContractAndStatusPaths places, List<String> steps) {
        return new RouteProtection(refrain, namespace, route, places, steps, null);
    }

    /** Reads the time since the first claim of a request's record; empty if the record is gone. */
    Optional<Duration> readAge(KeyedRequest request) {
        return records.explain(ClientKey.scope(request.call().scope())
                        .key(request.call().key())
                        .inNamespace(namespace))
                .map(RecordExplanation::age);
    }

    /** Returns the steps that are known before a request runs. */
    List<String> steps() {
        return steps;
    }

    /** Returns what keeps requests for people; empty if the route keeps none. */
    Optional<KeptRequestCapture> capture() {
        return capture;
    }

    private RouteStrategy strategy(
            Operation<Outcome.Answer> atOnce, TransactionalRunner.@Nullable Factory transactions) {
        var operation = waiting(atOnce);
        if (observes()) {
            // Leased in every mode: observing must not change how the handler's own transactions work.
            var runs = operation.leased(LeaseExpiryPolicy.RESUME);
            return RouteStrategy.of(request -> observe(runs, request));
        }
        return switch (policy().run().mode()) {
            case OperationMode.Leased mode -> {
                var runs = operation.leased(mode.takeOver());
                var runsAtOnce = atOnce.leased(mode.takeOver());
                yield new RouteStrategy(
                        request -> open(request.prefersAsync() ? runsAtOnce : runs, request), runs::isOverloaded);
            }
            case OperationMode.Flow flow ->
                new RouteStrategy(
                        request -> new FlowExchange(this, request.prefersAsync() ? atOnce : operation, request),
                        operation.leased(LeaseExpiryPolicy.RESUME)::isOverloaded);
            case OperationMode.Transactional mode -> {
                var transactor = transactor(operation, transactions);
                yield new RouteStrategy(
                        request -> new TransactionalExchange(this, transactor, request), transactor::isOverloaded);
            }
        };
    }

    private TransactionalRunner transactor(
            Operation<Outcome.Answer> operation, TransactionalRunner.@Nullable Factory transactions) {
        if (transactions == null) {
            throw new IllegalArgumentException(
                    route.name()
                            + ".mode is transactional, but this edge has no transactions of the store's database. Use a leased mode, or configure a transaction manager.");
        }
        return transactions.create(operation);
    }

    private static Operation<Outcome.Answer> operation(Refrain refrain, String namespace, Route route) {
        var policy = route.policy();
        var operation = refrain.operation(route.name())
                .namespace(namespace)
                .keyRules(policy.key().rules())
                .fingerprinter(policy.request().fingerprint())
                .retention(policy.replay().retention())
                .clientRetryWindow(policy.replay().clientRetryWindow())
                .outcomeRule(policy.replay().profile().rule())
                .maxOutcomeBytes(policy.replay().maxOutcomeBytes())
                .lease(policy.run().lease())
                .maxRunTime(policy.run().maxRunTime())
                .storeTimeout(policy.run().storeTimeout());
        if (policy.replay().keepStateOnly()) {
            operation = operation.keepStateOnly();
        }
        if (policy.run().failOpen()) {
            operation = operation.failOpen();
        }
        return policy.run().requireCorrectStore() ? operation.requireCorrectStore() : operation;
    }

    /** Returns the operation for clients that do not prefer a 202: their retries wait, if the route says so. */
    private Operation<Outcome.Answer> waiting(Operation<Outcome.Answer> atOnce) {
        return policy().run().inFlight() instanceof InFlightPolicy.Wait wait
                ? atOnce.waitWhileInFlight(wait.limit())
                : atOnce;
    }

    public Route route() {
        return route;
    }

    public RoutePolicy policy() {
        return route.policy();
    }

    /**
     * Begins a request and returns the first step to take.
     *
     * @param memory the memory of the exchange, which the edge closes when the exchange is over
     */
    public RequestStep begin(RequestHead head, BufferReservation memory) {
        return new RequestWalk(this, keyCheck, head, memory).proceed();
    }

    /** Decides on a request; claims the key if its handler is to run. */
    RequestDecision claim(KeyedRequest request) {
        return strategy.claim().apply(request);
    }

    /** Returns true if the store has so much to do that a request of this scope would be refused. */
    boolean isOverloaded(String scope) {
        return strategy.overloaded().test(scope);
    }

    /** Creates the response to a request that came when the store had too much to do. Nothing has been claimed. */
    EdgeResponse overloadedResponse() {
        listener.onEvent(new RefrainEvent.StoreOverloaded(route.name()));
        return responses.overloaded();
    }

    /** Creates the response to a body larger than the route's limit. Nothing has been claimed. */
    EdgeResponse tooLargeResponse() {
        return refused(
                EdgeProblem.REQUEST_TOO_LARGE,
                "This route accepts up to " + policy().request().maxRequestBytes() + " bytes.");
    }

    /** Creates the response to a request for whose bodies there is no memory. Nothing has been claimed, or nothing ran this time. */
    EdgeResponse buffersFullResponse() {
        return refused(
                EdgeProblem.BUFFERS_FULL,
                "Nothing ran this time. Send the same request under the same key a little later.");
    }

    /** Creates the response to a request whose path or query cannot be decoded. Nothing has been claimed. */
    EdgeResponse undecodableTargetResponse() {
        return refused(EdgeProblem.TARGET_MALFORMED, problems.malformedTarget());
    }

    /** Creates the response to an unknown caller. Nothing has been claimed. */
    EdgeResponse unknownCallerResponse() {
        return refused(EdgeProblem.CALLER_UNKNOWN, "Keys belong to a caller. Authenticate.");
    }

    /** Creates the response for a caller that cannot be determined now. Nothing has been claimed. */
    EdgeResponse unavailableCallerResponse() {
        return problems.unavailableCaller();
    }

    /**
     * Creates the response for a handler that ran but whose outcome is neither known nor stored. Its lease will expire, and a
     * retry finds the key as the lease expiry policy leaves it.
     */
    EdgeResponse unconfirmedResponse() {
        return problems.unconfirmed().withOrigin(new ResponseOrigin.RanNow());
    }

    /** Creates the response for a handler that still runs after its maximum run time. */
    EdgeResponse stillRunningResponse() {
        return problems.stillRunning().withOrigin(new ResponseOrigin.StillRunning());
    }

    private EdgeResponse refused(ProblemType problem, String detail) {
        return refused(problem, problems.response(problem, detail));
    }

    private EdgeResponse refused(ProblemType problem, EdgeResponse response) {
        listener.onEvent(new RefrainEvent.Refused(route.name(), problem.slug()));
        return response;
    }

    private RequestDecision open(LeasedOperation<Outcome.Answer> runs, KeyedRequest request) {
        try {
            return switch (runs.startAsync(request.call())) {
                case AsyncRunStart.AlreadyAnswered answered ->
                    new RequestDecision.ImmediateResponse(responseFor(answered.result(), request));
                case AsyncRun run -> new LeasedExchange(this, run, request);
            };
        } catch (RefrainException failure) {
            return new RequestDecision.ImmediateResponse(responseFor(failure, request));
        }
    }

    /** Runs the handler whatever the store says, and records the outcome only for the first request under a key. */
    private RequestDecision observe(LeasedOperation<Outcome.Answer> runs, KeyedRequest request) {
        ObservedFinding finding;
        try {
            var opening = runs.startAsync(request.call());
            if (opening instanceof AsyncRun run) {
                return new LeasedExchange(this, run, request);
            }
            finding = finding(((AsyncRunStart.AlreadyAnswered) opening).result());
        } catch (RefrainException away) {
            finding = ObservedFinding.STORE_AWAY;
        }
        listener.onEvent(new RefrainEvent.ObservedOnly(route.name(), finding));
        return new RequestDecision.PassThrough(new ResponseOrigin.OnlyObserved());
    }

    private static ObservedFinding finding(OperationResult result) {
        return switch (result) {
            case OperationResult.Replayed replayed -> ObservedFinding.REPLAY;
            case OperationResult.Mismatch mismatch -> ObservedFinding.MISMATCH;
            case OperationResult.Attention attention -> ObservedFinding.ATTENTION;
            default -> ObservedFinding.IN_PROGRESS;
        };
    }

    /** Returns true if the route is only observed: every request runs and is counted. */
    public boolean observes() {
        return policy().key().requirement() == KeyRequirement.OBSERVE;
    }

    /** Returns true if a handler's exception is stored as its outcome. */
    boolean keepsFailures() {
        return policy().replay().profile().keepsExceptions();
    }

    /** Returns the outcome as which a handler's exception is stored. */
    Outcome.Answer failureOutcome(Throwable failure) {
        return responses.failed(failure);
    }

    boolean keeps(Outcome.Answer answer) {
        return policy().replay().profile().rule().keeps(answer);
    }

    Outcome.Answer storable(Outcome.Answer answer) {
        return new Outcome.Answer(
                answer.status(),
                StoredHeaderFilter.storable(answer.headers(), policy().replay().hiddenHeaders()),
                answer.body());
    }

    EdgeResponse responseFor(OperationResult result, KeyedRequest request) {
        var reply = responses.toResponse(result, request);
        for (var header : request.headers()) {
            reply = reply.withHeader(header);
        }
        return reply;
    }

    EdgeResponse responseFor(RefrainException failure, KeyedRequest request) {
        return responses.toResponse(failure, request);
    }
}
