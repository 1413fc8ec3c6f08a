package dev.refrain.phase;

import dev.refrain.api.Outcome;

/**
 * Work in phases: each commits its writes together with its recovery point, and other systems are called between phases.
 *
 * @param <C> a phase's access to the database
 */
@FunctionalInterface
public interface PhasedWork<C, X extends Exception> {

    /** Runs from the claim's recovery point to the end. Returns the answer that its last phase committed. */
    Outcome.Answer run(PhasedClaim<C> claim) throws X;
}
