package dev.refrain.gateway.internal.config;

import dev.refrain.store.jdbc.MysqlDataSource;
import java.nio.file.Path;

/**
 * Address of the store.
 *
 *
 * @param url of JDBC: SQLite, PostgreSQL, MariaDB or MySQL
 * @param schema the PostgreSQL schema of the tables; empty for the first on the search path
 */
public record StoreAddress(String url, boolean migrate, String schema) {

    private static final String SQLITE = "jdbc:sqlite:";

    /** SQLite file in the working directory. */
    static final String DEFAULT = SQLITE + "refrain-gateway.db";

    public StoreAddress {
        if (!url.startsWith(SQLITE) && !url.startsWith("jdbc:postgresql:") && !MysqlDataSource.accepts(url)) {
            throw new GatewayConfigException(
                    "refrain.store.url is '" + safe(url)
                            + "', but may be jdbc:sqlite:FILE, jdbc:postgresql://HOST:PORT/DATABASE, jdbc:mariadb://HOST:PORT/DATABASE"
                            + " or jdbc:mysql://HOST:PORT/DATABASE.",
                    null);
        }
        if (url.matches("(?i).*[?&]password=.*")) {
            throw new GatewayConfigException(
                    "refrain.store.url holds a password, which others may read in a list of processes; give it by the variable REFRAIN_STORE_PASSWORD.",
                    null);
        }
    }

    public boolean isFile() {
        return url.startsWith(SQLITE);
    }

    public Path file() {
        return Path.of(url.substring(SQLITE.length())).toAbsolutePath().normalize();
    }

    /** Returns the address without secrets. */
    @Override
    public String toString() {
        return isFile() ? "SQLite in " + file() : safe(url);
    }

    private static String safe(String url) {
        int parameters = url.indexOf('?');
        return parameters < 0 ? url : url.substring(0, parameters);
    }
}
