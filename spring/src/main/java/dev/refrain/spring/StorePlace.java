package dev.refrain.spring;

/**
 * Where a store is configured, for messages.
 *
 * @param store the store as the subject of a sentence
 * @param path path of its settings
 * @param dataSource name of its DataSource bean
 */
record StorePlace(String store, String path, String dataSource) {

    /** The bean that Spring Boot makes from {@code spring.datasource}. */
    private static final String OF_BOOT = "dataSource";

    static StorePlace ofDefault(String dataSource) {
        return new StorePlace("The store of the keys", "refrain.store", dataSource);
    }

    static StorePlace named(String name, String dataSource) {
        return new StorePlace(
                "The store " + name + " (refrain.stores." + name + ", DataSource bean " + dataSource + ")",
                "refrain.stores." + name,
                dataSource);
    }

    /** Returns where the database and its user are set. */
    String databaseSettings() {
        return dataSource.equals(OF_BOOT) ? "spring.datasource.*" : "the settings of the DataSource bean " + dataSource;
    }

    /** Returns what sets the size of the pool. */
    String poolSizeSetting() {
        return dataSource.equals(OF_BOOT)
                ? "spring.datasource.hikari.maximum-pool-size"
                : "the maximumPoolSize of the DataSource bean " + dataSource;
    }
}
