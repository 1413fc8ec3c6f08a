package dev.refrain;

import dev.refrain.api.Claim;

/**
 * Work in one database transaction with its claim and outcome, giving a value or null. It must not call other systems.
 *
 * @param <C> how it reaches the database
 */
@FunctionalInterface
public interface TransactionalWork<T, C, X extends Exception> {

    T run(Claim claim, C connection) throws X;
}
