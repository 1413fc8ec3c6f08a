package dev.refrain.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * PostgreSQL with a synchronous standby, which has every commit before its caller is answered.
 *
 * <pre>{@code
 * try (var pair = PostgresPair.start(Map.of())) {
 *     String url = pair.freshDatabase();   // on whichever of the two takes writes
 *     ...
 *     pair.failOver();                     // the primary gets a SIGKILL, and the standby takes over
 * }
 * }</pre>
 *
 * <p>Both end when this is closed, and also when this JVM ends in whatever way.
 */
public final class PostgresPair implements AutoCloseable {

    private static final Duration FOLLOWS_WITHIN = Duration.ofSeconds(60);

    /** Files of the primary that a standby must not copy: its process id, and its log, which is streamed. */
    private static final Set<String> NOT_COPIED = Set.of("postmaster.pid", "postmaster.opts", "pg_wal");

    private final ManagedPostgres primary;
    private final ManagedPostgres standby;

    private PostgresPair(ManagedPostgres primary, ManagedPostgres standby) {
        this.primary = primary;
        this.standby = standby;
    }

    /** @param settings of postgresql.conf, for both of them */
    public static PostgresPair start(Map<String, String> settings) {
        var unprivileged = UnprivilegedCommand.detect();
        var primary = ManagedPostgres.start(settings, null, unprivileged);
        ManagedPostgres standby;
        try {
            standby = ManagedPostgres.start(
                    settings, null, unprivileged, (data, binaries, owner, scratch) -> copyOf(primary, data, owner));
        } catch (RuntimeException e) {
            primary.close();
            throw e;
        }
        var pair = new PostgresPair(primary, standby);
        try {
            pair.commitOnBoth();
            return pair;
        } catch (RuntimeException e) {
            pair.close();
            throw e;
        }
    }

    private static void copyOf(ManagedPostgres primary, Path data, UnprivilegedCommand unprivileged)
            throws IOException {
        try (var connection = primary.url().connect();
                var statement = connection.createStatement()) {
            statement.execute("SELECT pg_backup_start('standby', true)");
            DirectoryTrees.copy(
                    primary.dataDirectory(),
                    data,
                    file -> !NOT_COPIED.contains(file.getName(0).toString()));
            try (var stopped = statement.executeQuery("SELECT labelfile FROM pg_backup_stop(false)")) {
                stopped.next();
                Files.writeString(data.resolve("backup_label"), stopped.getString(1));
            }
        } catch (SQLException e) {
            throw new TestServerException("Could not copy the primary: " + e.getMessage(), e);
        }
        Files.createFile(data.resolve("standby.signal"));
        // Not on the command line, where others could read the password.
        Files.writeString(
                data.resolve("postgresql.auto.conf"),
                "primary_conninfo = '" + primary.connectionString() + "'\n",
                StandardOpenOption.APPEND);
        if (unprivileged.owner().isPresent()) {
            DirectoryTrees.giveTo(data, unprivileged.owner().get());
        }
    }

    /** Switches to synchronous replication. */
    private void commitOnBoth() {
        try (var connection = primary.url().connect();
                var statement = connection.createStatement()) {
            statement.execute("ALTER SYSTEM SET synchronous_standby_names = '*'");
            statement.execute("SELECT pg_reload_conf()");
            ConditionWait.until(
                    () -> {
                        try (var state = statement.executeQuery("SELECT sync_state FROM pg_stat_replication")) {
                            return state.next() && state.getString(1).equals("sync");
                        } catch (SQLException e) {
                            throw new TestServerException("Could not ask for the standby: " + e.getMessage(), e);
                        }
                    },
                    FOLLOWS_WITHIN,
                    () -> "The standby does not follow within " + FOLLOWS_WITHIN.toSeconds() + " s.");
        } catch (SQLException e) {
            throw new TestServerException("Could not make the standby a synchronous one: " + e.getMessage(), e);
        }
    }

    /** Creates an empty database, and returns the URL under which it is found on whichever of the two takes writes. */
    public String freshDatabase() {
        return PostgresUrl.parse(primary.freshDatabase()).orAt(standby.url()).text();
    }

    /** SIGKILLs the primary and all its children; when this returns, the standby takes writes. */
    public void failOver() {
        primary.killHard();
        try (var connection = standby.url().connect();
                var statement = connection.createStatement();
                var promoted = statement.executeQuery("SELECT pg_promote()")) {
            if (!promoted.next() || !promoted.getBoolean(1)) {
                throw new TestServerException("The standby did not take over.");
            }
        } catch (SQLException e) {
            throw new TestServerException("Could not promote the standby: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        standby.close();
        primary.close();
    }
}
