package dev.refrain;

import dev.refrain.api.Claim;

/**
 * Work in one database transaction with its claim and outcome; returns a value or null. It must not call other systems.
 *
 * @param <C> the work's access to the database
 */
@FunctionalInterface
public interface TransactionalWork<T, C, X extends Exception> {

    T run(Claim claim, C connection) throws X;
}
