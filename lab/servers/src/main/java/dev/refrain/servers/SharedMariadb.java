package dev.refrain.servers;

import org.jspecify.annotations.Nullable;

/** Holder of the MariaDB that a JVM shares; it is started when the class is initialised. */
final class SharedMariadb {

    static final String PROPERTY = "refrain.test.mariadb.url";
    static final String VARIABLE = "REFRAIN_TEST_MARIADB_URL";

    static final MariadbServer INSTANCE = choose(System.getProperty(PROPERTY), System.getenv(VARIABLE));

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(INSTANCE::close, "close-shared-mariadb"));
    }

    private SharedMariadb() {}

    private static MariadbServer choose(@Nullable String property, @Nullable String variable) {
        String url = property != null && !property.isBlank() ? property : variable;
        return url == null || url.isBlank() ? MariadbServer.start() : ExternalMariadb.at(url);
    }
}
