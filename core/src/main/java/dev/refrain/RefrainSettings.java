package dev.refrain;

import dev.refrain.api.DurationText;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.internal.run.EngineSettings;
import dev.refrain.observe.LoggedKeyFormat;
import dev.refrain.observe.RefrainListener;
import dev.refrain.observe.TraceIdSource;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Settings of one Refrain instance, apart from its operations. Immutable; every value has a default.
 *
 * @param traceIds finds the trace of a call that does not name one
 * @param instanceName how this process is called in the attempts of records; host name and process id unless said otherwise
 * @param maxKeysPerScope how many keys a scope may hold; empty for no quota
 * @param loggedKeys how the log shows the keys of records that a worker moved to attention; their beginning by default
 * @param operationCheck may refuse operations when they are made; accepts all by default
 */
public record RefrainSettings(
        ExecutionEnvironment environment,
        RefrainListener listener,
        ValueCodec codec,
        CacheSettings outcomeCache,
        WaiterLimits waiterLimits,
        OptionalLong maxKeysPerScope,
        MaintenanceSchedule maintenance,
        String instanceName,
        TraceIdSource traceIds,
        LoggedKeyFormat loggedKeys,
        OperationCheck operationCheck) {

    /**
     * Limits of the cache of completed outcomes, which are replayed without a query to the store.
     *
     * @param maxBytes maximum memory for outcomes; 0 disables the cache
     * @param maxAge maximum age of a cached outcome, and so how long the outcome of a record that another instance erased may
     *     still be replayed here
     */
    public record CacheSettings(long maxBytes, Duration maxAge) {

        // Must come first: the constants below are validated against it.
        private static final Duration LONGEST = Duration.ofDays(1);

        /** Defaults: 32 MiB, or an eighth of the heap if that is less. */
        public static final CacheSettings DEFAULT =
                new CacheSettings(Math.min(32L << 20, Runtime.getRuntime().maxMemory() / 8), Duration.ofSeconds(60));

        public static final CacheSettings OFF = new CacheSettings(0, Duration.ZERO);

        public CacheSettings {
            if (maxBytes < 0 || maxAge.isNegative() || maxAge.compareTo(LONGEST) > 0) {
                throw new IllegalArgumentException(
                        "cache.max-bytes and cache.max-age must not be negative, nor cache.max-age more than a day, but are "
                                + maxBytes + " and " + DurationText.of(maxAge) + ".");
            }
        }
    }

    /** Limits of retries that wait for the outcome of a running request. */
    public record WaiterLimits(int perScope, int perInstance) {

        public static final WaiterLimits DEFAULT = new WaiterLimits(1_000, 10_000);

        public WaiterLimits {
            if (perScope < 0 || perInstance < 0) {
                throw new IllegalArgumentException(
                        "waiters.per-scope and waiters.per-instance must not be negative, but are " + perScope + " and "
                                + perInstance + ".");
            }
        }
    }

    /**
     * Schedule of background maintenance.
     *
     * @param sweepGracePeriod how long after its lease an abandoned claim is left to a retry before the sweeper settles it
     */
    public record MaintenanceSchedule(Duration sweepInterval, Duration sweepGracePeriod, Duration reapInterval) {

        public static final MaintenanceSchedule DEFAULT =
                new MaintenanceSchedule(Duration.ofSeconds(15), Duration.ofSeconds(60), Duration.ofMinutes(1));

        public MaintenanceSchedule {
            if (!sweepInterval.isPositive() || !reapInterval.isPositive() || sweepGracePeriod.isNegative()) {
                throw new IllegalArgumentException(
                        "maintenance.sweep-interval and maintenance.reap-interval must be positive and maintenance.sweep-grace-period not negative, but are "
                                + DurationText.of(sweepInterval) + ", " + DurationText.of(reapInterval) + " and "
                                + DurationText.of(sweepGracePeriod) + ".");
            }
        }
    }

    /**
     * Check of an operation when it is made, which is when {@code leased}, {@code transactional} or {@code phased} is called on it. For
     * code that owns several instances and has a rule about all their operations. Must be thread-safe and fast: flows and jobs make
     * operations for each call.
     */
    @FunctionalInterface
    public interface OperationCheck {

        /**
         * Accepts an operation by returning.
         *
         * @throws RuntimeException to refuse the operation; the caller that makes it gets the exception
         */
        void check(String namespace, String operation);

        static OperationCheck none() {
            return (namespace, operation) -> {};
        }
    }

    public static RefrainSettings defaults() {
        return new RefrainSettings(
                ExecutionEnvironment.system(),
                RefrainListener.none(),
                ValueCodec.standard(),
                CacheSettings.DEFAULT,
                WaiterLimits.DEFAULT,
                OptionalLong.empty(),
                MaintenanceSchedule.DEFAULT,
                ProcessName.current(),
                TraceIdSource.none(),
                LoggedKeyFormat.SHORTENED,
                OperationCheck.none());
    }

    EngineSettings forEngine() {
        return new EngineSettings(
                environment,
                instanceName,
                traceIds,
                listener,
                outcomeCache.maxBytes(),
                outcomeCache.maxAge(),
                waiterLimits.perScope(),
                waiterLimits.perInstance(),
                maxKeysPerScope);
    }

    public RefrainSettings with(ExecutionEnvironment other) {
        return new RefrainSettings(
                other,
                listener,
                codec,
                outcomeCache,
                waiterLimits,
                maxKeysPerScope,
                maintenance,
                instanceName,
                traceIds,
                loggedKeys,
                operationCheck);
    }

    public RefrainSettings with(RefrainListener other) {
        return new RefrainSettings(
                environment,
                other,
                codec,
                outcomeCache,
                waiterLimits,
                maxKeysPerScope,
                maintenance,
                instanceName,
                traceIds,
                loggedKeys,
                operationCheck);
    }

    public RefrainSettings with(ValueCodec other) {
        return new RefrainSettings(
                environment,
                listener,
                other,
                outcomeCache,
                waiterLimits,
                maxKeysPerScope,
                maintenance,
                instanceName,
                traceIds,
                loggedKeys,
                operationCheck);
    }

    public RefrainSettings with(CacheSettings other) {
        return new RefrainSettings(
                environment,
                listener,
                codec,
                other,
                waiterLimits,
                maxKeysPerScope,
                maintenance,
                instanceName,
                traceIds,
                loggedKeys,
                operationCheck);
    }

    public RefrainSettings with(WaiterLimits other) {
        return new RefrainSettings(
                environment,
                listener,
                codec,
                outcomeCache,
                other,
                maxKeysPerScope,
                maintenance,
                instanceName,
                traceIds,
                loggedKeys,
                operationCheck);
    }

    public RefrainSettings with(MaintenanceSchedule other) {
        return new RefrainSettings(
                environment,
                listener,
                codec,
                outcomeCache,
                waiterLimits,
                maxKeysPerScope,
                other,
                instanceName,
                traceIds,
                loggedKeys,
                operationCheck);
    }

    public RefrainSettings maxKeysPerScope(long quota) {
        if (quota < 1) {
            throw new IllegalArgumentException("max-keys-per-scope must be at least 1, but is " + quota + ".");
        }
        return new RefrainSettings(
                environment,
                listener,
                codec,
                outcomeCache,
                waiterLimits,
                OptionalLong.of(quota),
                maintenance,
                instanceName,
                traceIds,
                loggedKeys,
                operationCheck);
    }

    /** Names this process in the attempts of records, up to 200 characters. */
    public RefrainSettings instanceName(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException(
                    "instance-name must not be blank. Leave it out for host name and process id.");
        }
        return new RefrainSettings(
                environment,
                listener,
                codec,
                outcomeCache,
                waiterLimits,
                maxKeysPerScope,
                maintenance,
                name,
                traceIds,
                loggedKeys,
                operationCheck);
    }

    public RefrainSettings with(TraceIdSource other) {
        return new RefrainSettings(
                environment,
                listener,
                codec,
                outcomeCache,
                waiterLimits,
                maxKeysPerScope,
                maintenance,
                instanceName,
                other,
                loggedKeys,
                operationCheck);
    }

    /** Sets how the log shows the keys of records that a worker moved to attention. */
    public RefrainSettings with(LoggedKeyFormat other) {
        return new RefrainSettings(
                environment,
                listener,
                codec,
                outcomeCache,
                waiterLimits,
                maxKeysPerScope,
                maintenance,
                instanceName,
                traceIds,
                other,
                operationCheck);
    }

    /** Sets the check of operations when they are made. */
    public RefrainSettings operationCheck(OperationCheck check) {
        return new RefrainSettings(
                environment,
                listener,
                codec,
                outcomeCache,
                waiterLimits,
                maxKeysPerScope,
                maintenance,
                instanceName,
                traceIds,
                loggedKeys,
                check);
    }
}
