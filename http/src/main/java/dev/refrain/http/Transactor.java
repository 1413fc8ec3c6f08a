package dev.refrain.http;

import dev.refrain.Call;
import dev.refrain.Operation;
import dev.refrain.claim.Claim;
import dev.refrain.outcome.Outcome;
import dev.refrain.run.RunResult;

/** How an edge runs a handler inside a transaction of the store's database, together with its claim and its outcome. */
public interface Transactor {

    /** A handler, as it runs inside the transaction. */
    @FunctionalInterface
    interface Handler<X extends Exception> {
        Outcome.Answer run(Claim claim) throws X;
    }

    /** What makes one for a route's operation. */
    @FunctionalInterface
    interface Maker {
        Transactor create(Operation<Outcome.Answer> operation);
    }

    <X extends Exception> RunResult attempt(Call call, Handler<X> handler) throws X;
}
