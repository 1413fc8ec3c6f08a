package dev.refrain;

import dev.refrain.observe.Listener;
import dev.refrain.outcome.Codec;
import dev.refrain.replay.OutcomeCache;
import dev.refrain.replay.Waiters;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * How one instance of Refrain works, apart from its operations. Immutable; every value has the protocol's default.
 *
 * @param maxKeysPerScope how many keys a scope may hold; empty for no quota
 */
public record Settings(
        Environment environment,
        Listener listener,
        Codec codec,
        OutcomeCache.Settings outcomeCache,
        Waiters.Limits waiterLimits,
        OptionalLong maxKeysPerScope,
        Chores maintenance) {

    /** @param grace how long after its lease an abandoned claim is left to a retry before it is settled */
    public record Chores(Duration sweepInterval, Duration sweepGracePeriod, Duration reapInterval) {

        public static final Chores DEFAULT =
                new Chores(Duration.ofSeconds(15), Duration.ofSeconds(60), Duration.ofMinutes(1));

        public Chores {
            if (!sweepInterval.isPositive() || !reapInterval.isPositive() || sweepGracePeriod.isNegative()) {
                throw new IllegalArgumentException(
                        "chores.sweep-every and chores.reap-every must be more than 0 and chores.grace not negative, but are "
                                + sweepInterval + ", " + reapInterval + " and " + sweepGracePeriod + ".");
            }
        }
    }

    public static Settings defaults() {
        return new Settings(
                Environment.system(),
                Listener.none(),
                Codec.standard(),
                OutcomeCache.Settings.DEFAULT,
                Waiters.Limits.DEFAULT,
                OptionalLong.empty(),
                Chores.DEFAULT);
    }

    public Settings with(Environment other) {
        return new Settings(other, listener, codec, outcomeCache, waiterLimits, maxKeysPerScope, maintenance);
    }

    public Settings with(Listener other) {
        return new Settings(environment, other, codec, outcomeCache, waiterLimits, maxKeysPerScope, maintenance);
    }

    public Settings with(Codec other) {
        return new Settings(environment, listener, other, outcomeCache, waiterLimits, maxKeysPerScope, maintenance);
    }

    public Settings with(OutcomeCache.Settings other) {
        return new Settings(environment, listener, codec, other, waiterLimits, maxKeysPerScope, maintenance);
    }

    public Settings with(Waiters.Limits other) {
        return new Settings(environment, listener, codec, outcomeCache, other, maxKeysPerScope, maintenance);
    }

    public Settings with(Chores other) {
        return new Settings(environment, listener, codec, outcomeCache, waiterLimits, maxKeysPerScope, other);
    }

    public Settings maxKeysPerScope(long quota) {
        if (quota < 1) {
            throw new IllegalArgumentException("quota.keys-per-scope must be at least 1, but is " + quota + ".");
        }
        return new Settings(environment, listener, codec, outcomeCache, waiterLimits, OptionalLong.of(quota), maintenance);
    }
}
