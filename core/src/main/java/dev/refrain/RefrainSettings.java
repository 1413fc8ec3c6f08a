package dev.refrain;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.internal.replay.OutcomeCache;
import dev.refrain.internal.replay.WaiterRegistry;
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
        OutcomeCache.CacheSettings outcomeCache,
        WaiterRegistry.WaiterLimits waiterLimits,
        OptionalLong maxKeysPerScope,
        MaintenanceSchedule maintenance) {

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
                OutcomeCache.CacheSettings.DEFAULT,
                WaiterRegistry.WaiterLimits.DEFAULT,
                OptionalLong.empty(),
                MaintenanceSchedule.DEFAULT);
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

    public RefrainSettings with(OutcomeCache.CacheSettings other) {
        return new RefrainSettings(environment, listener, codec, other, waiterLimits, maxKeysPerScope, maintenance);
    }

    public RefrainSettings with(WaiterRegistry.WaiterLimits other) {
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
