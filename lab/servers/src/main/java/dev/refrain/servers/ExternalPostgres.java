package dev.refrain.servers;
/** The user's own server: tests create databases on it and drop them at the end. */
final class ExternalPostgres implements PostgresServer {

    private final PostgresUrl url;
    private final ScratchDatabases databases;

    ExternalPostgres(PostgresUrl url) {
        this.url = url;
        this.databases = new ScratchDatabases(url);
    }

    @Override
    public String jdbcUrl() {
        return url.text();
    }

    @Override
    public String freshDatabase() {
        return databases.fresh().text();
    }

    @Override
    public String version() {
        return databases.version();
    }

    @Override
    public boolean canBeKilled() {
        return false;
    }

    @Override
    public void killHard() {
        throw new UnsupportedOperationException("The server at " + url + " isn't ours to kill.");
    }

    @Override
    public void restart() {
        throw new UnsupportedOperationException("The server at " + url + " isn't ours to restart.");
    }

    @Override
    public void close() {
        databases.dropAll();
    }
}
