package dev.refrain;

import dev.refrain.api.Claim;

/**
 * Work that gives a value, or null: a retry is then given null too. What it throws reaches the first caller as it is.
 */
@FunctionalInterface
public interface LeasedWork<T, X extends Exception> {

    T run(Claim claim) throws X;
}
