package dev.refrain.crash;
/**
 * A world of its own for one crash: an empty database, other systems with nothing in their ledgers. Either a {@link InProcessTrial} or a
 * {@link ForkedProcessTrial}.
 */
public interface CrashTrial extends AutoCloseable {

    /** Says what is there at the end, past the application. What it throws counts as a finding as well. */
    void check(EffectChecks checks) throws Exception;

    @Override
    default void close() throws Exception {}
}
