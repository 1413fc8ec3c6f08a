package dev.refrain.servers;

import java.util.Optional;
import java.util.stream.Stream;

/** MariaDB or MySQL of the user's own. */
record ExternalMariadb(MariadbDatabases databases) implements MariadbServer {

    static final String PROPERTY = "refrain.test.mariadb.url";
    static final String VARIABLE = "REFRAIN_TEST_MARIADB_URL";

    private static final String SCHEME = "://";

    /** Returns the URL that the user of these tests has set, if any. */
    static Optional<String> configuredUrl() {
        return Stream.of(
                        Optional.ofNullable(System.getProperty(PROPERTY)), Optional.ofNullable(System.getenv(VARIABLE)))
                .flatMap(Optional::stream)
                .filter(url -> !url.isBlank())
                .findFirst();
    }

    static ExternalMariadb at(String url) {
        int query = url.indexOf('?');
        int path = url.indexOf('/', url.indexOf(SCHEME) + SCHEME.length());
        if (!url.startsWith("jdbc:") || path < 0 || query < path) {
            // The URL may hold a password: it is not repeated.
            throw new TestServerException(
                    "The MariaDB URL given for tests doesn't have the form jdbc:mariadb://host:port/?user=…&password=…");
        }
        return new ExternalMariadb(new MariadbDatabases(url.substring(0, path + 1), url.substring(query + 1)));
    }

    @Override
    public String freshDatabase() {
        return databases.fresh();
    }

    @Override
    public String urlFor(String database, String user, String password) {
        return databases.urlFor(database, user, password);
    }

    @Override
    public void killHard() {
        throw new UnsupportedOperationException("A server of your own is not killed.");
    }

    @Override
    public void restart() {
        throw new UnsupportedOperationException("A server of your own is not restarted.");
    }

    @Override
    public void close() {
        databases.dropAll();
    }
}
