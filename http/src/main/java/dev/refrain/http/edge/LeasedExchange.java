package dev.refrain.http.edge;

import dev.refrain.api.AnswerHeader;
import dev.refrain.api.AsyncRun;
import dev.refrain.api.Claim;
import dev.refrain.api.EffectUnknownException;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.api.RefrainException;
import dev.refrain.http.OperationMode;
import dev.refrain.http.RoutePolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Request whose handler runs under a lease. The edge reports the end exactly once, on any thread, by {@link #complete}, {@link
 * #fail}, {@link #abandon} or {@link #escalate}, and then sends the response that the call returns.
 */
public final class LeasedExchange implements RequestDecision {

    private final RouteProtection protection;
    private final AsyncRun run;
    private final KeyedRequest request;

    LeasedExchange(RouteProtection protection, AsyncRun run, KeyedRequest request) {
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

    /** Returns the scope of the key. */
    public String scope() {
        return request.call().scope();
    }

    /** Returns the key that the client sent or that Refrain generated. */
    public String key() {
        return request.call().key();
    }

    /**
     * Returns the headers that every response carries; set them before the handler runs, since it may commit its response or
     * throw.
     */
    public List<AnswerHeader> extraHeaders() {
        return request.headers();
    }

    /**
     * Reads the time since the first claim of this request's record, by the store's clock and whatever retention is configured now;
     * empty if the store does not know it.
     *
     * @throws dev.refrain.store.StoreException if the store cannot be asked
     */
    public Optional<Duration> readAge() {
        return protection.readAge(request);
    }

    public boolean hasEnded() {
        return run.hasEnded();
    }

    /**
     * Calls the edge once, on a thread of its own, if the handler still runs at the route's maximum run time. The edge sends the
     * response, if it can. The handler goes on: its end is reported as ever, and then nothing more is sent. Not called on a route
     * that is only observed.
     */
    public void answerAtMaxRunTime(Consumer<EdgeResponse> edge) {
        run.onMaxRunTimeExceeded(() -> {
            UnknownOutcomeLog.stillRunning(request, claim().recordId(), policy().run());
            if (!protection.observes()) {
                edge.accept(protection.stillRunningResponse());
            }
        });
    }

    /**
     * Calls the edge once, on a thread of its own, if the work still runs at the route's maximum run time: for an edge that can end
     * the work itself and then reports the end.
     */
    public void endAtMaxRunTime(Runnable edge) {
        run.onMaxRunTimeExceeded(edge);
    }

    /** Runs a part of the handler on this thread; a shutdown interrupts the thread. */
    public <X extends Exception> void runPart(AsyncRun.WorkPart<X> part) throws X {
        run.runPart(part);
    }

    /**
     * Completes the claim with the handler's response.
     *
     * @param answer the response with all headers of the handler; headers that are never stored are removed here
     */
    public ResponseDecision complete(Outcome.Answer answer) {
        int encoded = answer.body().size();
        request.memory().count(encoded);
        try {
            return told(run.complete(protection.storable(answer)));
        } catch (RefrainException notStored) {
            return protection.observes()
                    ? own()
                    : new ResponseDecision.ReplacementResponse(
                            protection.responseFor(notStored, request).withOrigin(new ResponseOrigin.RanNow()));
        } finally {
            request.memory().giveBack(encoded);
        }
    }

    /**
     * Completes the claim with a response that was produced after the request timed out. If that response is not stored, the
     * claim stays open: the handler may still be running elsewhere.
     */
    public ResponseDecision completeAfterTimeout(Outcome.Answer answer) {
        return protection.keeps(answer) ? complete(answer) : abandon();
    }

    /** Returns true if a response with this status and these headers would be stored. */
    public boolean wouldStore(Outcome.Answer answer) {
        boolean holds = policy().run().mode() instanceof OperationMode.Leased leased
                && leased.takeOver() == LeaseExpiryPolicy.HOLD;
        return holds || protection.keeps(answer);
    }

    /**
     * Reports the handler's exception: stored as a response where the profile keeps failures, rethrown otherwise. An {@link
     * EffectUnknownException}, wrapped or not, moves the key to attention.
     */
    public ResponseDecision fail(Throwable failure) {
        var unknown = EffectUnknownException.findIn(failure);
        unknown.ifPresent(said -> UnknownOutcomeLog.attention(request, claim().recordId(), said));
        if (run.keepsFailure() && unknown.isEmpty() && !protection.observes()) {
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
     * Ends the request while its work may still be running: stores nothing and releases nothing. When the claim's lease expires,
     * the lease expiry policy decides.
     */
    public ResponseDecision abandon() {
        run.abandon();
        return own();
    }

    /**
     * Moves the key to attention: whether the work took effect is unknown and can be neither queried nor retried, so a person has
     * to find out.
     *
     * @param why the reason shown to that person
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
