package dev.refrain.flow;
/**
 * Final failure of a phase or a foreign call, after its retries.
 *
 * @param cause the exception of the last attempt
 * @param mayHaveTakenEffect whether the other system may have acted nevertheless; always false for a local phase
 */
public record PhaseFailure(Exception cause, boolean mayHaveTakenEffect) {}
