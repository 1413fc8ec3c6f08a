package dev.refrain.http.edge;

import dev.refrain.api.AnswerHeader;
import dev.refrain.api.Claim;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.api.RefrainException;
import dev.refrain.http.RoutePolicy;
import dev.refrain.store.WorkRolledBackException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Request whose handler runs in one transaction with its claim and its outcome; no response is sent before the commit. */
public final class TransactionalExchange implements RequestDecision {

    private final RouteProtection protection;
    private final TransactionalRunner transactor;
    private final KeyedRequest request;
    private @Nullable RefrainException thrownByHandler;

    TransactionalExchange(RouteProtection protection, TransactionalRunner transactor, KeyedRequest request) {
        this.protection = protection;
        this.transactor = transactor;
        this.request = request;
    }

    /** Returns the name of the route. */
    public String operation() {
        return protection.route().name();
    }

    public RoutePolicy policy() {
        return protection.policy();
    }

    /** Returns the headers that every response carries; set them before the handler runs, since it may throw. */
    public List<AnswerHeader> headers() {
        return request.headers();
    }

    /** Returns true if a response with this status and these headers would be stored. */
    public boolean wouldStore(Outcome.Answer answer) {
        return protection.keeps(answer);
    }

    /**
     * Returns the response as which a handler's exception is stored; empty if failures are not stored and the exception is to be
     * rethrown.
     */
    public Optional<Outcome.Answer> storedFailure(Throwable failure) {
        return protection.keepsFailures() ? Optional.of(protection.failureOutcome(failure)) : Optional.empty();
    }

    /**
     * Runs the handler if the key is new.
     *
     * @throws X the handler's exception, if it is not stored; the transaction is rolled back
     */
    public <X extends Exception> ResponseDecision run(TransactionalRunner.TransactionalHandler<X> handler) throws X {
        OperationResult result;
        try {
            result = transactor.attempt(request.call(), claim -> answer(handler, claim));
        } catch (RefrainException failure) {
            if (failure.equals(thrownByHandler) && !(failure instanceof WorkRolledBackException)) {
                throw failure;
            }
            return new ResponseDecision.ReplacementResponse(protection.responseFor(failure, request));
        }
        return result instanceof OperationResult.Ran
                ? new ResponseDecision.HandlerResponse(new ResponseOrigin.RanNow())
                : new ResponseDecision.ReplacementResponse(protection.responseFor(result, request));
    }

    private <X extends Exception> Outcome.Answer answer(
            TransactionalRunner.TransactionalHandler<X> handler, Claim claim) throws X {
        try {
            return protection.storable(handler.run(claim));
        } catch (RefrainException failure) {
            // It ran: the exception may be that of another operation that the handler called.
            thrownByHandler = failure;
            throw failure;
        }
    }
}
