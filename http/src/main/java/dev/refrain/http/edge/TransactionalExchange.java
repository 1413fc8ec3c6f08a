package dev.refrain.http.edge;

import dev.refrain.api.Claim;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.api.OutcomeHeader;
import dev.refrain.api.RefrainException;
import dev.refrain.http.RoutePolicy;
import java.util.List;
import java.util.Optional;

/** A request whose handler runs inside a transaction with its claim and its outcome: nothing is told before the commit. */
public final class TransactionalExchange implements RequestDecision {

    private final RouteProtection protection;
    private final TransactionalRunner transactor;
    private final KeyedRequest request;

    TransactionalExchange(RouteProtection protection, TransactionalRunner transactor, KeyedRequest request) {
        this.protection = protection;
        this.transactor = transactor;
        this.request = request;
    }

    public RoutePolicy policy() {
        return protection.policy();
    }

    /** What the answer says beside its own, whatever it is: set before the handler runs, which may throw. */
    public List<OutcomeHeader> headers() {
        return request.headers();
    }

    /** Whether an answer, if that is all that is said of it, would be stored. */
    public boolean wouldStore(Outcome.Answer answer) {
        return protection.keeps(answer);
    }

    /** The answer that this failure of the handler is stored as; empty if failures are not stored, and it is to be thrown on. */
    public Optional<Outcome.Answer> storedFailure(Throwable failure) {
        return protection.keepsFailures() ? Optional.of(protection.failureOutcome(failure)) : Optional.empty();
    }

    /**
     * Runs the handler, if this key is new.
     *
     * @throws X what the handler threw, if that is not kept; everything is taken back
     */
    public <X extends Exception> ResponseDecision run(TransactionalRunner.TransactionalHandler<X> handler) throws X {
        OperationResult result;
        try {
            result = transactor.attempt(request.call(), claim -> answer(handler, claim));
        } catch (RefrainException failure) {
            return new ResponseDecision.ReplacementResponse(protection.responseFor(failure));
        }
        return result instanceof OperationResult.Ran
                ? new ResponseDecision.HandlerResponse(new ResponseOrigin.RanNow())
                : new ResponseDecision.ReplacementResponse(protection.responseFor(result, request));
    }

    private <X extends Exception> Outcome.Answer answer(
            TransactionalRunner.TransactionalHandler<X> handler, Claim claim) throws X {
        return protection.storable(handler.run(claim));
    }
}
