package dev.refrain.crash;
/**
 * Environment for one crash: an empty database, and other systems without entries. Implement {@link InProcessTrial} or {@link
 * ForkedProcessTrial}.
 */
public interface CrashTrial extends AutoCloseable {

    /** Checks the effects after the recovery, without the application. An exception counts as a finding. */
    void check(EffectChecks checks) throws Exception;

    @Override
    default void close() throws Exception {}
}
