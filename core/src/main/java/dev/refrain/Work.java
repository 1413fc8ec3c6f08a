package dev.refrain;

import dev.refrain.claim.Claim;

/**
 * Work that gives a value, or null: a retry is then given null too. What it throws reaches the first caller as it is.
 */
@FunctionalInterface
public interface Work<T, X extends Exception> {

    T run(Claim claim) throws X;
}
