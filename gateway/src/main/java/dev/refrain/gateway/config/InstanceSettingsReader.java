package dev.refrain.gateway.config;

import static dev.refrain.gateway.config.GatewayConfigReader.time;

import dev.refrain.RefrainSettings;
import dev.refrain.RefrainSettings.CacheSettings;
import dev.refrain.RefrainSettings.WaiterLimits;
import dev.refrain.http.settings.SettingParser;
import org.jspecify.annotations.Nullable;

/** Reads the settings of the whole process, independent of routes. */
final class InstanceSettingsReader {

    private InstanceSettingsReader() {}

    static RefrainSettings read(RawConfig.Refrain said) {
        var settings = RefrainSettings.defaults()
                .with(chores(said.chores()))
                .with(waiters(said.waiters()))
                .with(cache(said.cache()));
        var quota = said.quota();
        return quota == null || quota.keysPerScope() == null
                ? settings
                : settings.maxKeysPerScope(quota.keysPerScope());
    }

    private static RefrainSettings.MaintenanceSchedule chores(RawConfig.@Nullable Chores said) {
        var usual = RefrainSettings.MaintenanceSchedule.DEFAULT;
        return said == null
                ? usual
                : new RefrainSettings.MaintenanceSchedule(
                        time("refrain.chores.sweep-every", said.sweepEvery(), usual.sweepInterval()),
                        time("refrain.chores.grace", said.grace(), usual.sweepGracePeriod()),
                        time("refrain.chores.reap-every", said.reapEvery(), usual.reapInterval()));
    }

    private static WaiterLimits waiters(RawConfig.@Nullable Waiters said) {
        var usual = WaiterLimits.DEFAULT;
        return said == null
                ? usual
                : new WaiterLimits(
                        said.perScope() == null ? usual.perScope() : said.perScope(),
                        said.perInstance() == null ? usual.perInstance() : said.perInstance());
    }

    private static CacheSettings cache(RawConfig.@Nullable Cache said) {
        var usual = CacheSettings.DEFAULT;
        return said == null
                ? usual
                : new CacheSettings(
                        said.bytes() == null
                                ? usual.maxBytes()
                                : SettingParser.size("refrain.cache.bytes", said.bytes()),
                        time("refrain.cache.longest", said.longest(), usual.maxAge()));
    }
}
