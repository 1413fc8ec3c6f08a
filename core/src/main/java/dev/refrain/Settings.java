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
 * @param keysPerScope how many keys a scope may hold; empty for no quota
 */
public record Settings(
        Environment environment,
        Listener listener,
        Codec codec,
        OutcomeCache.Settings cache,
        Waiters.Limits waiters,
        OptionalLong keysPerScope,
        Chores chores) {

    /** @param grace how long after its lease an abandoned claim is left to a retry before it is settled */
    public record Chores(Duration sweepEvery, Duration grace, Duration reapEvery) {

        public static final Chores DEFAULT =
                new Chores(Duration.ofSeconds(15), Duration.ofSeconds(60), Duration.ofMinutes(1));

        public Chores {
            if (!sweepEvery.isPositive() || !reapEvery.isPositive() || grace.isNegative()) {
                throw new IllegalArgumentException(
                        "chores.sweep-every and chores.reap-every must be more than 0 and chores.grace not negative, but are "
                                + sweepEvery + ", " + reapEvery + " and " + grace + ".");
            }
        }
    }

    public static Settings standard() {
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
        return new Settings(other, listener, codec, cache, waiters, keysPerScope, chores);
    }

    public Settings with(Listener other) {
        return new Settings(environment, other, codec, cache, waiters, keysPerScope, chores);
    }

    public Settings with(Codec other) {
        return new Settings(environment, listener, other, cache, waiters, keysPerScope, chores);
    }

    public Settings with(OutcomeCache.Settings other) {
        return new Settings(environment, listener, codec, other, waiters, keysPerScope, chores);
    }

    public Settings with(Waiters.Limits other) {
        return new Settings(environment, listener, codec, cache, other, keysPerScope, chores);
    }

    public Settings with(Chores other) {
        return new Settings(environment, listener, codec, cache, waiters, keysPerScope, other);
    }

    public Settings keysPerScope(long quota) {
        if (quota < 1) {
            throw new IllegalArgumentException("quota.keys-per-scope must be at least 1, but is " + quota + ".");
        }
        return new Settings(environment, listener, codec, cache, waiters, OptionalLong.of(quota), chores);
    }
}
