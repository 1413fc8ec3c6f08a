package dev.refrain.flow;
/**
 * How a phase or a call failed at last.
 *
 * @param cause what was thrown by the last try
 * @param mayHaveTakenEffect whether the other system may have acted all the same; never for a phase
 */
public record PhaseFailure(Exception cause, boolean mayHaveTakenEffect) {}
