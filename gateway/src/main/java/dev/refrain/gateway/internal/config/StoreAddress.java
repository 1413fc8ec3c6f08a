package dev.refrain.gateway.internal.config;

import dev.refrain.store.StoreLocation;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Address of the store.
 *
 * @param url of a store whose module is on the class path: SQLite, PostgreSQL, MariaDB, MySQL, Redis
 * @param replayFrom the URL of the Redis that replays completed outcomes
 * @param schema the PostgreSQL schema of the tables; empty for the first on the search path
 */
public record StoreAddress(String url, Optional<String> replayFrom, boolean migrate, String schema) {

    private static final String SQLITE = "jdbc:sqlite:";

    /** As a parameter, or before the host. */
    private static final Pattern PASSWORD = Pattern.compile("(?i)[?&](password|secret)=|//[^/@]*:[^/@]*@");

    /** SQLite file in the working directory. */
    static final String DEFAULT = SQLITE + "refrain-gateway.db";

    public StoreAddress {
        requireKnown("refrain.store.url", url);
        requireNoSecret("refrain.store.url", url, "give it by the variable REFRAIN_STORE_PASSWORD.");
        replayFrom.ifPresent(redis -> requireKnown("refrain.store.replay-from", redis));
    }

    private static void requireKnown(String setting, String url) {
        if (!StoreLocation.of(url).isKnown()) {
            throw new GatewayConfigException(
                    setting + " is '" + safe(url) + "'. "
                            + StoreLocation.of(url).refusal(),
                    null);
        }
    }

    /** @throws GatewayConfigException if the URL holds what a command line or a file should not show */
    static void requireNoSecret(String setting, String url, String instead) {
        if (PASSWORD.matcher(url).find()) {
            throw new GatewayConfigException(
                    setting + " holds a password, which others may read in a list of processes; " + instead, null);
        }
    }

    private boolean isFile() {
        return url.startsWith(SQLITE);
    }

    private Path file() {
        return Path.of(url.substring(SQLITE.length())).toAbsolutePath().normalize();
    }

    /**
     * Returns where the store is, still without a login.
     *
     * @param browsed whether a console browses it
     */
    public StoreLocation location(boolean browsed) {
        return StoreLocation.of(url).schema(schema).migrate(migrate).browsed(browsed);
    }

    /** Returns the address without secrets. */
    @Override
    public String toString() {
        return (isFile() ? "SQLite in " + file() : safe(url))
                + replayFrom.map(redis -> ", with replays from " + safe(redis)).orElse("");
    }

    private static String safe(String url) {
        int parameters = url.indexOf('?');
        return (parameters < 0 ? url : url.substring(0, parameters)).replaceFirst("//[^/]*@", "//");
    }
}
