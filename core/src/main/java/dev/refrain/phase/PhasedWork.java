package dev.refrain.phase;

import dev.refrain.api.Outcome;

/**
 * Work in phases: each commits what it wrote together with its recovery point, and what calls other systems runs between them.
 *
 * @param <C> how a phase reaches the database
 */
@FunctionalInterface
public interface PhasedWork<C, X extends Exception> {

    /** From the claim's recovery point to the end. Gives the answer that its last phase committed. */
    Outcome.Answer run(PhasedClaim<C> claim) throws X;
}
