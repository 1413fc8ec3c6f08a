package dev.refrain.http;

import dev.refrain.Leased;
import dev.refrain.Operation;
import dev.refrain.Refrain;
import dev.refrain.RefrainException;
import dev.refrain.claim.ClaimResult;
import dev.refrain.http.KeyGate.Passage.Keyed;
import dev.refrain.http.policy.InFlightPolicy;
import dev.refrain.http.policy.Mode;
import dev.refrain.http.policy.Policy;
import dev.refrain.http.policy.Requirement;
import dev.refrain.http.policy.Route;
import dev.refrain.http.problem.Problem;
import dev.refrain.http.problem.Problems;
import dev.refrain.observe.Event;
import dev.refrain.observe.Event.Finding;
import dev.refrain.observe.Listener;
import dev.refrain.outcome.Header;
import dev.refrain.outcome.Outcome;
import dev.refrain.run.OpenRun;
import dev.refrain.run.Opening;
import dev.refrain.run.RunResult;
import dev.refrain.store.TakeOver;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.greenbytes.http.sfv.StringItem;

/**
 * One route under protection: the walk of a request from its key to its answer, without any framework. An edge reads the
 * request, asks here, runs the handler if it is told to, and sends what it is told. Thread-safe.
 */
public final class Protection {

    /** Says that an answer is a replay. */
    public static final String REPLAYED = "Idempotent-Replayed";

    /**
     * All routes of an API share their keys: one that comes again on another path is a mistake of the client, and told so. This is
     * their name where nothing else is said.
     */
    public static final String NAMESPACE = "http";

    private final Route route;
    private final Problems problems;
    private final Telling responses;
    private final KeyGate keyCheck;
    private final Listener listener;
    private final Function<Entering, Entrance> strategy;

    /** A request with its key. */
    private record Entering(HttpRequest request, Keyed keyed) {
        boolean prefersAsync() {
            return request.headerSays("Prefer", "respond-async");
        }
    }

    private Protection(
            Refrain refrain, String namespace, Route route, Places places, Optional<Transactor.Maker> transactions) {
        this.route = route;
        problems = new Problems(places.contract());
        responses = new Telling(route, places, problems);
        listener = refrain.listener();
        keyCheck = new KeyGate(route, problems, listener);
        strategy = strategy(operation(refrain, namespace, route), transactions);
    }

    /** @param transactions how transactional routes run; empty where there are none */
    public static Protection of(Refrain refrain, Route route, Places places, Optional<Transactor.Maker> transactions) {
        return new Protection(refrain, NAMESPACE, route, places, transactions);
    }

    /** The same for leased routes of one API among others that have their keys in the same store. */
    public static Protection leased(Refrain refrain, String namespace, Route route, Places places) {
        return new Protection(refrain, namespace, route, places, Optional.empty());
    }

    private Function<Entering, Entrance> strategy(
            Operation<Outcome.Answer> operation, Optional<Transactor.Maker> transactions) {
        if (observes()) {
            // Whatever the mode: to observe must not change how the handler's own transactions work.
            var runs = operation.leased(TakeOver.RESUME);
            return entering -> observe(runs, entering);
        }
        return switch (policy().run().mode()) {
            case Mode.Leased mode -> {
                var runs = operation.leased(mode.takeOver());
                yield entering -> open(runs, entering);
            }
            case Mode.Flow flow -> entering -> new Flowing(this, operation, entering.keyed(), entering.prefersAsync());
            case Mode.Transactional mode -> {
                var transactor = transactor(operation, transactions);
                yield entering -> new Transacted(this, transactor, entering.keyed(), entering.prefersAsync());
            }
        };
    }

    private Transactor transactor(Operation<Outcome.Answer> operation, Optional<Transactor.Maker> transactions) {
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

    public Policy policy() {
        return route.policy();
    }

    /**
     * Refuses a request before its body is read, if its headers are enough to: a client that waits for {@code 100 Continue}
     * then does not send it. The body of the given request is not looked at.
     */
    public Optional<Reply> refuseByHeaders(HttpRequest head) {
        return keyCheck.refuseUnread(head);
    }

    /** Whether a request runs unprotected, whatever its body and whoever sends it; that is counted where it is to be. */
    public boolean bypassesByHeaders(HttpRequest head) {
        return keyCheck.passesUnread(head);
    }

    /** Says what to do with the request; if its handler is to run, the key is claimed. */
    public Entrance decide(HttpRequest request) {
        return switch (keyCheck.check(request)) {
            case KeyGate.Passage.Unprotected free -> new Entrance.PassThrough();
            case KeyGate.Passage.Refused refused -> new Entrance.Answered(refused.reply());
            case Keyed keyed -> strategy.apply(new Entering(request, keyed));
        };
    }

    /** A body larger than the route takes. Nothing has been claimed. */
    public Reply tooLargeResponse() {
        return refused(
                Problem.REQUEST_TOO_LARGE,
                "This route takes up to " + policy().request().maxBytes() + " bytes.");
    }

    /** Nobody whose keys these could be. Nothing has been claimed. */
    public Reply unknownCallerResponse() {
        return refused(Problem.CALLER_UNKNOWN, "Keys belong to a caller; authenticate.");
    }

    /** It ran, and what became of it could be neither known nor stored: its lease runs out, and a retry finds that. */
    public Reply unconfirmedResponse() {
        return problems.unconfirmed();
    }

    private Reply refused(Problem problem, String detail) {
        listener.onEvent(new Event.Refused(route.name(), problem.slug()));
        return problems.response(problem, detail);
    }

    private Entrance open(Leased<Outcome.Answer> runs, Entering entering) {
        try {
            return switch (runs.startDetached(entering.keyed().call())) {
                case Opening.Answered answered ->
                    new Entrance.Answered(responseFor(answered.result(), entering.keyed(), entering.prefersAsync()));
                case OpenRun run -> new Exchange(this, run, entering.keyed());
            };
        } catch (RefrainException failure) {
            return new Entrance.Answered(responseFor(failure));
        }
    }

    /** Whatever is found, the handler runs; it is recorded only if that is the first time. */
    private Entrance observe(Leased<Outcome.Answer> runs, Entering entering) {
        Finding finding;
        try {
            var opening = runs.startDetached(entering.keyed().call());
            if (opening instanceof OpenRun run) {
                return new Exchange(this, run, entering.keyed());
            }
            finding = finding(((Opening.Answered) opening).result());
        } catch (RefrainException away) {
            finding = Finding.STORE_AWAY;
        }
        listener.onEvent(new Event.Observed(route.name(), finding));
        return new Entrance.PassThrough();
    }

    private static Finding finding(RunResult result) {
        return switch (result) {
            case RunResult.Replayed replayed -> Finding.REPLAY;
            case RunResult.Refused refused ->
                refused.why() instanceof ClaimResult.Mismatch ? Finding.MISMATCH : Finding.ATTENTION;
            default -> Finding.IN_PROGRESS;
        };
    }

    /** Whether everything runs, and is only counted. */
    public boolean observes() {
        return policy().key().requirement() == Requirement.OBSERVE;
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
                AnswerHeaders.storable(answer.headers(), policy().replay().hiddenHeaders()),
                answer.body());
    }

    Reply responseFor(RunResult result, Keyed keyed, boolean prefersAsync) {
        var reply = responses.toResponse(result, keyed.call().key(), prefersAsync);
        for (var header : headersFor(keyed)) {
            reply = reply.withHeader(header);
        }
        return reply;
    }

    Reply responseFor(RefrainException failure) {
        return responses.toResponse(failure);
    }

    /** A key that was made here is told, so that the client can retry under it. */
    static List<Header> headersFor(Keyed keyed) {
        return keyed.minted()
                .map(key -> List.of(
                        new Header("Idempotency-Key", StringItem.valueOf(key).serialize())))
                .orElse(List.of());
    }
}
