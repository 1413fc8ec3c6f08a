package dev.refrain.servers;

/** Holder of the MariaDB that a JVM shares; it is started when the class is initialised. */
final class SharedMariadb {

    static final MariadbServer INSTANCE = ExternalMariadb.configuredUrl()
            .<MariadbServer>map(ExternalMariadb::at)
            .orElseGet(MariadbServer::start);

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(INSTANCE::close, "close-shared-mariadb"));
    }

    private SharedMariadb() {}
}
