package dev.refrain.http.edge;

import dev.refrain.LeasedOperation;
import dev.refrain.Operation;
import dev.refrain.Refrain;
import dev.refrain.api.DetachedRun;
import dev.refrain.api.DetachedRunStart;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.api.OutcomeHeader;
import dev.refrain.api.RefrainException;
import dev.refrain.http.InFlightPolicy;
import dev.refrain.http.KeyRequirement;
import dev.refrain.http.OperationMode;
import dev.refrain.http.Route;
import dev.refrain.http.RoutePolicy;
import dev.refrain.http.edge.RequestKeyCheck.KeyDecision.Keyed;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainEvent.ObservedFinding;
import dev.refrain.observe.RefrainListener;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.greenbytes.http.sfv.StringItem;

/**
 * One route under protection: the walk of a request from its key to its answer, without any framework. An edge reads the
 * request, asks here, runs the handler if it is told to, and sends what it is told. Thread-safe.
 */
public final class RouteProtection {

    /** Says that an answer is a replay. */
    public static final String REPLAYED = "Idempotent-Replayed";

    /**
     * All routes of an API share their keys: one that comes again on another path is a mistake of the client, and told so. This is
     * their name where nothing else is said.
     */
    public static final String NAMESPACE = "http";

    private final Route route;
    private final ProblemResponses problems;
    private final ResponseMapper responses;
    private final RequestKeyCheck keyCheck;
    private final RefrainListener listener;
    private final Function<KeyedRequest, RequestDecision> strategy;

    /** A request with its key. */
    private record KeyedRequest(EdgeRequest request, Keyed keyed) {
        boolean prefersAsync() {
            return request.headerSays("Prefer", "respond-async");
        }
    }

    private RouteProtection(
            Refrain refrain,
            String namespace,
            Route route,
            RefrainEndpointPaths places,
            Optional<TransactionalRunner.Factory> transactions) {
        this.route = route;
        problems = new ProblemResponses(places.contract());
        responses = new ResponseMapper(route, places, problems);
        listener = refrain.listener();
        keyCheck = new RequestKeyCheck(route, problems, listener);
        strategy = strategy(operation(refrain, namespace, route), transactions);
    }

    /** @param transactions how transactional routes run; empty where there are none */
    public static RouteProtection of(
            Refrain refrain,
            Route route,
            RefrainEndpointPaths places,
            Optional<TransactionalRunner.Factory> transactions) {
        return new RouteProtection(refrain, NAMESPACE, route, places, transactions);
    }

    /** The same for leased routes of one API among others that have their keys in the same store. */
    public static RouteProtection leased(Refrain refrain, String namespace, Route route, RefrainEndpointPaths places) {
        return new RouteProtection(refrain, namespace, route, places, Optional.empty());
    }

    private Function<KeyedRequest, RequestDecision> strategy(
            Operation<Outcome.Answer> operation, Optional<TransactionalRunner.Factory> transactions) {
        if (observes()) {
            // Whatever the mode: to observe must not change how the handler's own transactions work.
            var runs = operation.leased(LeaseExpiryPolicy.RESUME);
            return entering -> observe(runs, entering);
        }
        return switch (policy().run().mode()) {
            case OperationMode.Leased mode -> {
                var runs = operation.leased(mode.takeOver());
                yield entering -> open(runs, entering);
            }
            case OperationMode.Flow flow ->
                entering -> new FlowExchange(this, operation, entering.keyed(), entering.prefersAsync());
            case OperationMode.Transactional mode -> {
                var transactor = transactor(operation, transactions);
                yield entering ->
                        new TransactionalExchange(this, transactor, entering.keyed(), entering.prefersAsync());
            }
        };
    }

    private TransactionalRunner transactor(
            Operation<Outcome.Answer> operation, Optional<TransactionalRunner.Factory> transactions) {
        return transactions
                .orElseThrow(
                        () -> new IllegalArgumentException(
                                route.name()
                                        + ".mode is transactional, but there are no transactions of the store's database to run it in here; use leased, or give some."))
                .create(operation);
    }

    private static Operation<Outcome.Answer> operation(Refrain refrain, String namespace, Route route) {
        var policy = route.policy();
        var operation = refrain.operation(route.name())
                .namespace(namespace)
                .keyRules(policy.key().rules())
                .fingerprinter(policy.request().fingerprint())
                .retention(policy.replay().retention())
                .clientRetryWindow(policy.replay().retryWindow())
                .profile(policy.replay().profile())
                .maxOutcomeBytes(policy.replay().maxBytes())
                .lease(policy.run().lease())
                .maxRunTime(policy.run().maxRun())
                .storeTimeout(policy.run().withPatience());
        if (policy.replay().stateOnly()) {
            operation = operation.keepStateOnly();
        }
        if (policy.run().failOpen()) {
            operation = operation.failOpen();
        }
        return policy.run().inFlight() instanceof InFlightPolicy.Wait wait
                ? operation.waitForOutcome(wait.limit())
                : operation;
    }

    public Route route() {
        return route;
    }

    public RoutePolicy policy() {
        return route.policy();
    }

    /**
     * Refuses a request before its body is read, if its headers are enough to: a client that waits for {@code 100 Continue}
     * then does not send it. The body of the given request is not looked at.
     */
    public Optional<EdgeResponse> refuseByHeaders(EdgeRequest head) {
        return keyCheck.refuseUnread(head);
    }

    /** Whether a request runs unprotected, whatever its body and whoever sends it; that is counted where it is to be. */
    public boolean bypassesByHeaders(EdgeRequest head) {
        return keyCheck.passesUnread(head);
    }

    /** Says what to do with the request; if its handler is to run, the key is claimed. */
    public RequestDecision decide(EdgeRequest request) {
        return switch (keyCheck.check(request)) {
            case RequestKeyCheck.KeyDecision.Unprotected free -> new RequestDecision.PassThrough();
            case RequestKeyCheck.KeyDecision.Refused refused -> new RequestDecision.ImmediateResponse(refused.reply());
            case Keyed keyed -> strategy.apply(new KeyedRequest(request, keyed));
        };
    }

    /** A body larger than the route takes. Nothing has been claimed. */
    public EdgeResponse tooLargeResponse() {
        return refused(
                ProblemType.REQUEST_TOO_LARGE,
                "This route takes up to " + policy().request().maxBytes() + " bytes.");
    }

    /** Nobody whose keys these could be. Nothing has been claimed. */
    public EdgeResponse unknownCallerResponse() {
        return refused(ProblemType.CALLER_UNKNOWN, "Keys belong to a caller; authenticate.");
    }

    /** It ran, and what became of it could be neither known nor stored: its lease runs out, and a retry finds that. */
    public EdgeResponse unconfirmedResponse() {
        return problems.unconfirmed();
    }

    private EdgeResponse refused(ProblemType problem, String detail) {
        listener.onEvent(new RefrainEvent.Refused(route.name(), problem.slug()));
        return problems.response(problem, detail);
    }

    private RequestDecision open(LeasedOperation<Outcome.Answer> runs, KeyedRequest entering) {
        try {
            return switch (runs.startDetached(entering.keyed().call())) {
                case DetachedRunStart.AlreadyAnswered answered ->
                    new RequestDecision.ImmediateResponse(
                            responseFor(answered.result(), entering.keyed(), entering.prefersAsync()));
                case DetachedRun run -> new LeasedExchange(this, run, entering.keyed());
            };
        } catch (RefrainException failure) {
            return new RequestDecision.ImmediateResponse(responseFor(failure));
        }
    }

    /** Whatever is found, the handler runs; it is recorded only if that is the first time. */
    private RequestDecision observe(LeasedOperation<Outcome.Answer> runs, KeyedRequest entering) {
        ObservedFinding finding;
        try {
            var opening = runs.startDetached(entering.keyed().call());
            if (opening instanceof DetachedRun run) {
                return new LeasedExchange(this, run, entering.keyed());
            }
            finding = finding(((DetachedRunStart.AlreadyAnswered) opening).result());
        } catch (RefrainException away) {
            finding = ObservedFinding.STORE_AWAY;
        }
        listener.onEvent(new RefrainEvent.ObservedOnly(route.name(), finding));
        return new RequestDecision.PassThrough();
    }

    private static ObservedFinding finding(OperationResult result) {
        return switch (result) {
            case OperationResult.Replayed replayed -> ObservedFinding.REPLAY;
            case OperationResult.Mismatch mismatch -> ObservedFinding.MISMATCH;
            case OperationResult.Attention attention -> ObservedFinding.ATTENTION;
            default -> ObservedFinding.IN_PROGRESS;
        };
    }

    /** Whether everything runs, and is only counted. */
    public boolean observes() {
        return policy().key().requirement() == KeyRequirement.OBSERVE;
    }

    /** Whether what a handler throws is kept as its outcome. */
    public boolean keepsFailures() {
        return policy().replay().profile().keepsExceptions();
    }

    /** The answer that a handler's failure is kept as. */
    public Outcome.Answer failureOutcome(Throwable failure) {
        return responses.failed(failure);
    }

    Outcome.Answer storable(Outcome.Answer answer) {
        return new Outcome.Answer(
                answer.status(),
                StoredHeaderFilter.storable(answer.headers(), policy().replay().hiddenHeaders()),
                answer.body());
    }

    EdgeResponse responseFor(OperationResult result, Keyed keyed, boolean prefersAsync) {
        var reply = responses.toResponse(result, keyed.call().key(), prefersAsync);
        for (var header : headersFor(keyed)) {
            reply = reply.withHeader(header);
        }
        return reply;
    }

    EdgeResponse responseFor(RefrainException failure) {
        return responses.toResponse(failure);
    }

    /** A key that was made here is told, so that the client can retry under it. */
    static List<OutcomeHeader> headersFor(Keyed keyed) {
        return keyed.minted()
                .map(key -> List.of(new OutcomeHeader(
                        "Idempotency-Key", StringItem.valueOf(key).serialize())))
                .orElse(List.of());
    }
}
