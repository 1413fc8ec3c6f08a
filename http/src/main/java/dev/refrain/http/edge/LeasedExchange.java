package dev.refrain.http.edge;

import dev.refrain.api.Claim;
import dev.refrain.api.DetachedRun;
import dev.refrain.api.EffectUnknownException;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.api.OutcomeHeader;
import dev.refrain.api.RefrainException;
import dev.refrain.http.OperationMode;
import dev.refrain.http.RoutePolicy;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request whose handler runs. The edge says how it ended, on any thread, exactly once: {@link #complete} or {@link #fail};
 * and only then sends what it is told.
 */
public final class LeasedExchange implements RequestDecision {

    private final RouteProtection protection;
    private final DetachedRun run;
    private final KeyedRequest request;

    LeasedExchange(RouteProtection protection, DetachedRun run, KeyedRequest request) {
        this.protection = protection;
        this.run = run;
        this.request = request;
    }

    public Claim claim() {
        return run.claim();
    }

    public RoutePolicy policy() {
        return protection.policy();
    }

    /** The key that the client sent, or that was made for it. */
    public String key() {
        return request.call().key();
    }

    /** What the answer says beside its own, whatever it is: set before the handler runs, which may send it at once, or throw. */
    public List<OutcomeHeader> extraHeaders() {
        return request.headers();
    }

    public boolean hasEnded() {
        return run.hasEnded();
    }

    /** Does a part of the handler's work on this thread; at a shutdown the thread is interrupted. */
    public <X extends Exception> void runPart(DetachedRun.WorkPart<X> part) throws X {
        run.runPart(part);
    }

    /** @param answer with all headers the handler gave; those that are not kept are left out here */
    public ResponseDecision complete(Outcome.Answer answer) {
        try {
            return told(run.complete(protection.storable(answer)));
        } catch (RefrainException notStored) {
            return protection.observes()
                    ? own()
                    : new ResponseDecision.ReplacementResponse(
                            protection.responseFor(notStored).withOrigin(new ResponseOrigin.RanNow()));
        }
    }

    /**
     * The same for what is answered after a time-out of the request: an answer that is not kept is then not the work's, which may still
     * go on, whoever does it.
     */
    public ResponseDecision completeAfterTimeout(Outcome.Answer answer) {
        return protection.keeps(answer) ? complete(answer) : abandon();
    }

    /** Whether an answer, if that is all that is said of it, would be stored. */
    public boolean wouldStore(Outcome.Answer answer) {
        boolean holds = policy().run().mode() instanceof OperationMode.Leased leased
                && leased.takeOver() == LeaseExpiryPolicy.HOLD;
        return holds || protection.keeps(answer);
    }

    /** What the handler threw. Where failures are kept it becomes an answer; otherwise it goes on. */
    public ResponseDecision fail(Throwable failure) {
        if (run.keepsFailure() && !protection.observes()) {
            var answer = protection.failureOutcome(failure);
            return complete(answer) instanceof ResponseDecision.ReplacementResponse instead
                    ? instead
                    : new ResponseDecision.ReplacementResponse(EdgeResponse.of(answer, new ResponseOrigin.RanNow()));
        }
        Optional<OperationResult> stored = run.fail(failure);
        return stored.isPresent() && !protection.observes()
                ? told(stored.get())
                : new ResponseDecision.RethrownFailure();
    }

    /**
     * The request is over before its work is known to be: nothing is stored, and nothing given back. The claim's lease runs out,
     * and then its operation says what becomes of it.
     */
    public ResponseDecision abandon() {
        run.abandon();
        return own();
    }

    /**
     * Whether the work took effect cannot be known, and it cannot be asked or tried again: a person has to find out.
     *
     * @param why what that person reads
     */
    public ResponseDecision escalate(String why, @Nullable Throwable cause) {
        return run.fail(new EffectUnknownException(why, cause))
                .map(this::told)
                .orElseGet(() -> protection.observes()
                        ? own()
                        : new ResponseDecision.ReplacementResponse(protection.unconfirmedResponse()));
    }

    private ResponseDecision told(OperationResult result) {
        return result instanceof OperationResult.Ran || protection.observes()
                ? own()
                : new ResponseDecision.ReplacementResponse(protection.responseFor(result, request.afterRun()));
    }

    private ResponseDecision own() {
        return new ResponseDecision.HandlerResponse(new ResponseOrigin.RanNow());
    }
}
