package dev.refrain;

import dev.refrain.api.Claim;

/** Work that returns a value, or null; a retry then gets null too. Its exceptions reach the first caller unchanged. */
@FunctionalInterface
public interface LeasedWork<T, X extends Exception> {

    T run(Claim claim) throws X;
}
