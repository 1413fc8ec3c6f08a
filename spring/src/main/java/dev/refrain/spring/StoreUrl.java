package dev.refrain.spring;

import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreLocation;

/** Opens a store by a URL of the settings. */
final class StoreUrl {

    private StoreUrl() {}

    /**
     * @param path path of the settings
     * @throws RefrainStartException if it cannot be opened
     */
    static Store open(String path, String url) {
        if (url.startsWith("jdbc:")) {
            throw new RefrainStartException(
                    path + ".url is a database, whose keys would not commit with the application's work.",
                    "Configure a DataSource and leave " + path + ".url out; with several, name it by " + path
                            + ".data-source.");
        }
        try {
            return RefrainStartException.explain(
                    path + ".url", () -> StoreLocation.of(url).open());
        } catch (StoreException e) {
            throw new RefrainStartException(
                    "The store of " + path + ".url cannot be opened. " + e.getMessage(),
                    e.isTransient()
                            ? "Check that the server runs and that " + path
                                    + ".url is right, its user and password too, and start again."
                            : "Do what the last sentence of the description says, and start again.",
                    e);
        }
    }
}
