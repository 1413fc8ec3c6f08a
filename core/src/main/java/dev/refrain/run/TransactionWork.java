package dev.refrain.run;

import dev.refrain.claim.Claim;
import dev.refrain.outcome.Outcome;

/**
 * Work inside one database transaction, with its claim and its outcome. It must not call other systems: a commit that fails
 * afterwards cannot take the call back.
 *
 * @param <C> how it reaches the database
 */
@FunctionalInterface
public interface TransactionWork<C, X extends Exception> {

    Outcome.Answer run(Claim claim, C connection) throws X;
}
