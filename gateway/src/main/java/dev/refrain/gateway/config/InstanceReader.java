package dev.refrain.gateway.config;

import static dev.refrain.gateway.config.ConfigReader.time;

import dev.refrain.Settings;
import dev.refrain.http.settings.Words;
import dev.refrain.replay.OutcomeCache;
import dev.refrain.replay.Waiters;
import org.jspecify.annotations.Nullable;

/** Reads what holds for the whole process, whatever the route. */
final class InstanceReader {

    private InstanceReader() {}

    static Settings read(Said.Refrain said) {
        var settings = Settings.defaults()
                .with(chores(said.chores()))
                .with(waiters(said.waiters()))
                .with(cache(said.cache()));
        var quota = said.quota();
        return quota == null || quota.keysPerScope() == null ? settings : settings.maxKeysPerScope(quota.keysPerScope());
    }

    private static Settings.Chores chores(Said.@Nullable Chores said) {
        var usual = Settings.Chores.DEFAULT;
        return said == null
                ? usual
                : new Settings.Chores(
                        time("refrain.chores.sweep-every", said.sweepEvery(), usual.sweepInterval()),
                        time("refrain.chores.grace", said.grace(), usual.sweepGracePeriod()),
                        time("refrain.chores.reap-every", said.reapEvery(), usual.reapInterval()));
    }

    private static Waiters.Limits waiters(Said.@Nullable Waiters said) {
        var usual = Waiters.Limits.DEFAULT;
        return said == null
                ? usual
                : new Waiters.Limits(
                        said.perScope() == null ? usual.perScope() : said.perScope(),
                        said.perInstance() == null ? usual.perInstance() : said.perInstance());
    }

    private static OutcomeCache.Settings cache(Said.@Nullable Cache said) {
        var usual = OutcomeCache.Settings.DEFAULT;
        return said == null
                ? usual
                : new OutcomeCache.Settings(
                        said.bytes() == null ? usual.maxBytes() : Words.size("refrain.cache.bytes", said.bytes()),
                        time("refrain.cache.longest", said.longest(), usual.maxAge()));
    }
}
