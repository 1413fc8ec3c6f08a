package dev.refrain.http.edge;

import dev.refrain.Operation;
import dev.refrain.OperationCall;
import dev.refrain.api.Claim;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;

/** Runs a handler in a transaction of the store's database, together with its claim and its outcome. */
public interface TransactionalRunner {

    /** The handler, running inside the transaction. */
    @FunctionalInterface
    interface TransactionalHandler<X extends Exception> {
        Outcome.Answer run(Claim claim) throws X;
    }

    /** Creates the runner for a route's operation. */
    @FunctionalInterface
    interface Factory {
        TransactionalRunner create(Operation<Outcome.Answer> operation);
    }

    /** Returns true if a request of this scope would be refused now, because too many wait for a connection. */
    default boolean isOverloaded(String scope) {
        return false;
    }

    <X extends Exception> OperationResult attempt(OperationCall call, TransactionalHandler<X> handler) throws X;
}
