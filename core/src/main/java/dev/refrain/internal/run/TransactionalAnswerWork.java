package dev.refrain.internal.run;

import dev.refrain.api.Claim;
import dev.refrain.api.Outcome;

/**
 * Work inside one database transaction, with its claim and its outcome. It must not call other systems: a commit that fails
 * afterwards cannot undo the call.
 *
 * @param <C> the work's access to the database
 */
@FunctionalInterface
public interface TransactionalAnswerWork<C, X extends Exception> {

    Outcome.Answer run(Claim claim, C connection) throws X;
}
