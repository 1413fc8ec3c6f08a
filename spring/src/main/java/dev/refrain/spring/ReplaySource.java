package dev.refrain.spring;

import dev.refrain.store.Store;
import dev.refrain.store.StoreLocation;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.SmartInitializingSingleton;

/** The Redis of {@code refrain.store.replay-from}, which replays completed outcomes in front of the default store. Encryption goes around both. */
final class ReplaySource implements SmartInitializingSingleton, AutoCloseable {

    private static final String PROPERTY = "refrain.store.replay-from";

    private final String url;
    private final List<Store> opened = new ArrayList<>();

    /** @param url empty if there is none */
    ReplaySource(String url) {
        this.url = url;
    }

    /**
     * Returns the store with replays in front of it, or as it is if there are none.
     *
     * @throws RefrainStartException if the URL cannot be read
     */
    Store before(Store store) {
        if (url.isEmpty()) {
            return store;
        }
        var replaying = RefrainStartException.explain(
                PROPERTY, () -> StoreLocation.of(url).openBefore(store));
        opened.add(replaying);
        return replaying;
    }

    /** Refuses a setting that nothing followed. */
    @Override
    public void afterSingletonsInstantiated() {
        if (!url.isEmpty() && opened.isEmpty()) {
            throw new RefrainStartException(
                    PROPERTY
                            + " is set, but the starter does not make the default store, so that nothing would be replayed from there.",
                    "Remove it, and put a ReplayCachingStore around your store: ReplayCachingStore.around(store, url), inside of an"
                            + " EncryptingStore if you have one.");
        }
    }

    @Override
    public void close() {
        opened.forEach(Store::close);
    }
}
