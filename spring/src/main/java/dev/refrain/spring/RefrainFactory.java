package dev.refrain.spring;

import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.RefrainSettings.CacheSettings;
import dev.refrain.RefrainSettings.OperationCheck;
import dev.refrain.RefrainSettings.WaiterLimits;
import dev.refrain.ValueCodec;
import dev.refrain.observe.RefrainListener;
import dev.refrain.observe.TraceIdSource;
import dev.refrain.store.Store;
import dev.refrain.store.StoreTraits;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Creates a Refrain on a store, from the application's settings and beans. All that it creates share a registry of namespaces, so that
 * none is used with two stores.
 */
final class RefrainFactory {

    private final RefrainProperties properties;
    private final ObjectProvider<RefrainListener> listeners;
    private final ObjectProvider<ValueCodec> codecs;
    private final ObjectProvider<TraceIdSource> traceIds;
    private final ObjectProvider<StoreEncryptor> encryptors;
    private final NamespaceRegistry namespaces = new NamespaceRegistry();

    RefrainFactory(
            RefrainProperties properties,
            ObjectProvider<RefrainListener> listeners,
            ObjectProvider<ValueCodec> codecs,
            ObjectProvider<TraceIdSource> traceIds,
            ObjectProvider<StoreEncryptor> encryptors) {
        this.properties = properties;
        this.listeners = listeners;
        this.codecs = codecs;
        this.traceIds = traceIds;
        this.encryptors = encryptors;
    }

    /** @param store its label; listeners learn it only where there are several, so that metrics of one store stay as they are */
    Refrain create(Store store, String label) {
        requireEncryption(store.traits(), label);
        var listener = listeners
                .orderedStream()
                .map(each -> properties.stores().isEmpty() ? each : each.forStore(label))
                .reduce(RefrainListener.none(), RefrainListener::and);
        return RefrainStartException.explain(() -> Refrain.using(
                store,
                settings()
                        .with(codecs.getIfAvailable(ValueCodec::standard))
                        .with(traceIds.getIfAvailable(TraceIdSource::none))
                        .with(listener)
                        .operationCheck(
                                properties.stores().isEmpty() ? OperationCheck.none() : namespaces.checkFor(label))));
    }

    NamespaceRegistry namespaces() {
        return namespaces;
    }

    /**
     * Refuses a store that would hold in the clear what the application wants to be encrypted.
     *
     * @param label the name of the store
     * @throws RefrainStartException if the application has keys for encryption and this store does not use any
     */
    void requireEncryption(StoreTraits store, String label) {
        if (!store.encrypted()) {
            keysForEncryption().ifPresent(keys -> {
                throw notEncrypted(keys, store, label);
            });
        }
    }

    private Optional<String> keysForEncryption() {
        return properties.encryption().keys().isEmpty()
                ? Optional.ofNullable(encryptors.getIfAvailable()).map(StoreEncryptor::keys)
                : Optional.of("refrain.encryption.keys");
    }

    private static RefrainStartException notEncrypted(String keys, StoreTraits store, String label) {
        boolean byDefault = label.equals(OperationStore.DEFAULT);
        String setting = "refrain.stores." + label;
        boolean property = keys.startsWith("refrain.");
        return new RefrainStartException(
                keys + (property ? " is set" : " encrypts what is stored") + ", but the "
                        + (byDefault ? "default store" : "store " + label) + " (" + store.name()
                        + ") does not encrypt: its contents would be stored in the clear.",
                (property ? "Add dev.refrain:refrain-store-encryption if it is missing. " : "")
                        + (byDefault
                                ? "The keys encrypt the store that the starter makes, and a Store bean whose bean method returns JdbcStore;"
                                        + " return an EncryptingStore for any other."
                                : "The keys encrypt stores with " + setting
                                        + ".data-source, and those whose bean is a JdbcStore; make the bean of "
                                        + setting
                                        + ".bean an EncryptingStore: EncryptingStore.around(store, ring).")
                        + (property
                                ? ""
                                : " If the ring is for another store only, make it where that store is made, and not as a bean."));
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
                .with(properties.http().logKeys());
        Long quota = properties.maxKeysPerScope();
        String name = properties.instanceName();
        var named = name == null ? settings : settings.instanceName(name);
        return quota == null ? named : named.maxKeysPerScope(quota);
    }
}
