package dev.refrain.gateway.internal.config;

import static dev.refrain.gateway.internal.config.GatewayConfigReader.time;

import dev.refrain.RefrainSettings;
import dev.refrain.RefrainSettings.CacheSettings;
import dev.refrain.RefrainSettings.WaiterLimits;
import dev.refrain.http.internal.settings.SettingParser;
import org.jspecify.annotations.Nullable;

/** Reads the settings of the whole process, independent of routes. */
final class RefrainSettingsReader {

    private RefrainSettingsReader() {}

    static RefrainSettings read(RawConfig.Refrain said) {
        var settings = RefrainSettings.defaults()
                .with(maintenance(said.maintenance()))
                .with(waiters(said.waiters()))
                .with(cache(said.cache()));
        var quota = said.maxKeysPerScope();
        var name = said.instanceName();
        var named = name == null ? settings : settings.instanceName(name);
        return quota == null ? named : named.maxKeysPerScope(quota);
    }

    private static RefrainSettings.MaintenanceSchedule maintenance(RawConfig.@Nullable Maintenance said) {
        var usual = RefrainSettings.MaintenanceSchedule.DEFAULT;
        return said == null
                ? usual
                : new RefrainSettings.MaintenanceSchedule(
                        time("refrain.maintenance.sweep-interval", said.sweepInterval(), usual.sweepInterval()),
                        time(
                                "refrain.maintenance.sweep-grace-period",
                                said.sweepGracePeriod(),
                                usual.sweepGracePeriod()),
                        time("refrain.maintenance.reap-interval", said.reapInterval(), usual.reapInterval()));
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
                        said.maxBytes() == null
                                ? usual.maxBytes()
                                : SettingParser.size("refrain.cache.max-bytes", said.maxBytes()),
                        time("refrain.cache.max-age", said.maxAge(), usual.maxAge()));
    }
}
