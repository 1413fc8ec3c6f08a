package dev.refrain.servers;

import org.jspecify.annotations.Nullable;

/** Holder of the server that a JVM shares; it is started when the class is initialised. */
final class SharedPostgres {

    static final String PROPERTY = "refrain.test.postgres.url";
    static final String VARIABLE = "REFRAIN_TEST_POSTGRES_URL";

    static final PostgresServer INSTANCE = choose(System.getProperty(PROPERTY), System.getenv(VARIABLE));

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(INSTANCE::close, "close-shared-postgres"));
    }

    private SharedPostgres() {}

    static PostgresServer choose(@Nullable String property, @Nullable String variable) {
        String url = property != null && !property.isBlank() ? property : variable;
        return url == null || url.isBlank() ? PostgresServer.start() : PostgresServer.at(url);
    }
}
