package dev.refrain.phase;
/**
 * Work inside one transaction. It may run more than once if the database rolls it back, and commits once. It must not call other
 * systems.
 *
 * @param <C> the phase's access to the database
 */
@FunctionalInterface
public interface Phase<C, X extends Exception> {

    PhaseTransition run(C connection) throws X;
}
