package dev.refrain.spring;

import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.RefrainSettings.CacheSettings;
import dev.refrain.RefrainSettings.WaiterLimits;
import dev.refrain.ValueCodec;
import dev.refrain.http.internal.settings.SettingParser;
import dev.refrain.observe.RefrainListener;
import dev.refrain.observe.TraceIdSource;
import dev.refrain.store.Store;
import org.springframework.beans.factory.ObjectProvider;

/** Creates a Refrain on a store, from the application's settings and beans. */
final class RefrainFactory {

    private final RefrainProperties properties;
    private final ObjectProvider<RefrainListener> listeners;
    private final ObjectProvider<ValueCodec> codecs;
    private final ObjectProvider<TraceIdSource> traceIds;

    RefrainFactory(
            RefrainProperties properties,
            ObjectProvider<RefrainListener> listeners,
            ObjectProvider<ValueCodec> codecs,
            ObjectProvider<TraceIdSource> traceIds) {
        this.properties = properties;
        this.listeners = listeners;
        this.codecs = codecs;
        this.traceIds = traceIds;
    }

    /** @param store its label; listeners learn it only where there are several, so that metrics of one store stay as they are */
    Refrain create(Store store, String label) {
        requireEncryption(store, label);
        var listener = listeners
                .orderedStream()
                .map(each -> properties.stores().isEmpty() ? each : each.forStore(label))
                .reduce(RefrainListener.none(), RefrainListener::and);
        return RefrainStartException.explain(() -> Refrain.using(
                store,
                settings()
                        .with(codecs.getIfAvailable(ValueCodec::standard))
                        .with(traceIds.getIfAvailable(TraceIdSource::none))
                        .with(listener)));
    }

    private void requireEncryption(Store store, String label) {
        if (properties.encryption().keys().isEmpty() || store.traits().encrypted()) {
            return;
        }
        throw label.equals(OperationStore.DEFAULT)
                ? new RefrainStartException(
                        "refrain.encryption.keys is set, but the store of the keys does not encrypt.",
                        "Add dev.refrain:refrain-store-encryption. A Store bean of your own is encrypted if its bean method returns JdbcStore"
                                + " or EncryptingStore.")
                : new RefrainStartException(
                        "refrain.encryption.keys is set, but the store " + label + " does not encrypt.",
                        "Add dev.refrain:refrain-store-encryption. The property encrypts stores with refrain.stores."
                                + label
                                + ".data-source, and those whose bean is a JdbcStore; any other bean must be an EncryptingStore.");
    }

    private RefrainSettings settings() {
        var maintenance = properties.maintenance();
        var waiters = properties.waiters();
        var cache = properties.cache();
        var settings = RefrainSettings.defaults()
                .with(new RefrainSettings.MaintenanceSchedule(
                        maintenance.sweepInterval(), maintenance.sweepGracePeriod(), maintenance.reapInterval()))
                .with(new WaiterLimits(waiters.perScope(), waiters.perInstance()))
                .with(new CacheSettings(cache.maxBytes().toBytes(), cache.maxAge()))
                .with(SettingParser.loggedKeys(
                        "refrain.http.log-keys", properties.http().logKeys()));
        Long quota = properties.maxKeysPerScope();
        String name = properties.instanceName();
        var named = name == null ? settings : settings.instanceName(name);
        return quota == null ? named : named.maxKeysPerScope(quota);
    }
}
