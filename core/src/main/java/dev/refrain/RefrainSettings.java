package dev.refrain;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.internal.run.EngineSettings;
import dev.refrain.observe.RefrainListener;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * How one instance of Refrain works, apart from its operations. Immutable; every value has the protocol's default.
 *
 * @param maxKeysPerScope how many keys a scope may hold; empty for no quota
 */
public record RefrainSettings(
        ExecutionEnvironment environment,
        RefrainListener listener,
        ValueCodec codec,
        CacheSettings outcomeCache,
        WaiterLimits waiterLimits,
        OptionalLong maxKeysPerScope,
        MaintenanceSchedule maintenance) {

    /**
     * How much memory completed outcomes may take in this process, and for how long one is replayed without asking the store.
     *
     * @param maxBytes most memory for outcomes; 0 switches the cache off
     * @param maxAge also bounds how long the outcome of a record that was erased elsewhere is still replayed here
     */
    public record CacheSettings(long maxBytes, Duration maxAge) {

        // First: the constants below are checked against it.
        private static final Duration LONGEST = Duration.ofDays(1);

        public static final CacheSettings DEFAULT = new CacheSettings(32L << 20, Duration.ofSeconds(60));
        public static final CacheSettings OFF = new CacheSettings(0, Duration.ZERO);

        public CacheSettings {
            if (maxBytes < 0 || maxAge.isNegative() || maxAge.compareTo(LONGEST) > 0) {
                throw new IllegalArgumentException(
                        "cache.bytes and cache.longest must not be negative, nor cache.longest more than a day, but are "
                                + maxBytes + " and " + maxAge + ".");
            }
        }
    }

    /** How many retries may wait at once for outcomes of runs that are under way. */
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

    /** @param sweepGracePeriod how long after its lease an abandoned claim is left to a retry before it is settled */
    public record MaintenanceSchedule(Duration sweepInterval, Duration sweepGracePeriod, Duration reapInterval) {

        public static final MaintenanceSchedule DEFAULT =
                new MaintenanceSchedule(Duration.ofSeconds(15), Duration.ofSeconds(60), Duration.ofMinutes(1));

        public MaintenanceSchedule {
            if (!sweepInterval.isPositive() || !reapInterval.isPositive() || sweepGracePeriod.isNegative()) {
                throw new IllegalArgumentException(
                        "chores.sweep-every and chores.reap-every must be more than 0 and chores.grace not negative, but are "
                                + sweepInterval + ", " + reapInterval + " and " + sweepGracePeriod + ".");
            }
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
                MaintenanceSchedule.DEFAULT);
    }

    EngineSettings forEngine() {
        return new EngineSettings(
                environment,
                listener,
                outcomeCache.maxBytes(),
                outcomeCache.maxAge(),
                waiterLimits.perScope(),
                waiterLimits.perInstance(),
                maxKeysPerScope);
    }

    public RefrainSettings with(ExecutionEnvironment other) {
        return new RefrainSettings(other, listener, codec, outcomeCache, waiterLimits, maxKeysPerScope, maintenance);
    }

    public RefrainSettings with(RefrainListener other) {
        return new RefrainSettings(environment, other, codec, outcomeCache, waiterLimits, maxKeysPerScope, maintenance);
    }

    public RefrainSettings with(ValueCodec other) {
        return new RefrainSettings(
                environment, listener, other, outcomeCache, waiterLimits, maxKeysPerScope, maintenance);
    }

    public RefrainSettings with(CacheSettings other) {
        return new RefrainSettings(environment, listener, codec, other, waiterLimits, maxKeysPerScope, maintenance);
    }

    public RefrainSettings with(WaiterLimits other) {
        return new RefrainSettings(environment, listener, codec, outcomeCache, other, maxKeysPerScope, maintenance);
    }

    public RefrainSettings with(MaintenanceSchedule other) {
        return new RefrainSettings(environment, listener, codec, outcomeCache, waiterLimits, maxKeysPerScope, other);
    }

    public RefrainSettings maxKeysPerScope(long quota) {
        if (quota < 1) {
            throw new IllegalArgumentException("quota.keys-per-scope must be at least 1, but is " + quota + ".");
        }
        return new RefrainSettings(
                environment, listener, codec, outcomeCache, waiterLimits, OptionalLong.of(quota), maintenance);
    }
}
