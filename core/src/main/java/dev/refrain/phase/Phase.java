package dev.refrain.phase;
/**
 * What happens inside one transaction. It may run more than once, if the database took it back, and commits once. It must not call
 * other systems.
 *
 * @param <C> how it reaches the database
 */
@FunctionalInterface
public interface Phase<C, X extends Exception> {

    PhaseTransition run(C connection) throws X;
}
