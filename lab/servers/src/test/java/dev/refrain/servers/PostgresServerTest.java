package dev.refrain.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresServerTest {

    @Test
    void commitsAreDurable() throws SQLException {
        try (var server = PostgresServer.start()) {
            assertThat(ask(server.jdbcUrl(), "SHOW fsync")).isEqualTo("on");
            assertThat(ask(server.jdbcUrl(), "SHOW synchronous_commit")).isEqualTo("on");
            assertThat(ask(server.jdbcUrl(), "SHOW full_page_writes")).isEqualTo("on");
        }
    }

    @Test
    void committedRowsSurviveAKillUnderLoad() throws Exception {
        try (var server = PostgresServer.start();
                var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            String url = server.freshDatabase();
            tell(url, "CREATE TABLE effect (id bigint PRIMARY KEY)");
            var committed = new AtomicLong();
            Future<?> load = executor.submit(() -> {
                try (Connection connection = DriverManager.getConnection(url);
                        Statement statement = connection.createStatement()) {
                    for (long id = 1; ; id++) {
                        statement.execute("INSERT INTO effect VALUES (" + id + ")");
                        committed.set(id);
                    }
                }
            });
            await().until(() -> committed.get() >= 50);

            server.killHard();

            await().until(load::isDone);
            assertThatThrownBy(() -> ask(url, "SELECT 1")).isInstanceOf(SQLException.class);
            server.restart();
            // The last one may have been committed without our hearing of it.
            assertThat(Long.parseLong(ask(url, "SELECT count(*) FROM effect")))
                    .isBetween(committed.get(), committed.get() + 1);
        }
    }

    @Test
    void restartsWhileItRuns() throws SQLException {
        try (var server = PostgresServer.start()) {
            String before = ask(server.jdbcUrl(), "SELECT pg_postmaster_start_time()");
            server.restart();
            assertThat(ask(server.jdbcUrl(), "SELECT pg_postmaster_start_time()"))
                    .isNotEqualTo(before);
        }
    }

    @Test
    void settingsReachTheServer() throws SQLException {
        try (var server = PostgresServer.builder()
                .setting("max_connections", 23)
                .setting("max_prepared_transactions", 5)
                .start()) {
            assertThat(ask(server.jdbcUrl(), "SHOW max_connections")).isEqualTo("23");
            assertThat(ask(server.jdbcUrl(), "SHOW max_prepared_transactions")).isEqualTo("5");
        }
    }

    @Test
    void settingGivenTwiceIsRefused() {
        var builder = PostgresServer.builder().setting("max_connections", 23);
        assertThatThrownBy(() -> builder.setting("max_connections", 24))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("max_connections");
    }

    @Test
    void givenDataDirectoryIsKept(@TempDir Path directory) throws SQLException, IOException {
        // Where root has to step down to another user, that one has to get there.
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path data = directory.resolve("data");
        try (var first = PostgresServer.builder().dataDirectory(data).start()) {
            tell(first.jdbcUrl(), "CREATE TABLE kept AS SELECT 'yes' AS there");
        }
        try (var second = PostgresServer.builder().dataDirectory(data).start()) {
            assertThat(ask(second.jdbcUrl(), "SELECT there FROM kept")).isEqualTo("yes");
        }
    }

    @Test
    void freshDatabaseIsEmptyAndItsOwn() throws SQLException {
        PostgresServer server = PostgresServer.shared();
        String one = server.freshDatabase();
        String other = server.freshDatabase();
        tell(one, "CREATE TABLE mine (id int)");
        tell(other, "CREATE TABLE mine (id int)");
        assertThat(ask(one, "SELECT count(*) FROM mine")).isEqualTo("0");
    }

    @Test
    void wrongSettingIsReportedWithTheServersMessage() {
        assertThatThrownBy(() -> PostgresServer.builder()
                        .setting("no_such_setting", "on")
                        .start())
                .isInstanceOf(TestServerException.class)
                .hasMessageContaining("no_such_setting");
    }

    @Test
    void serverOfTheUsersOwnIsUsedButNotKilled() throws SQLException {
        try (var theirs = PostgresServer.start()) {
            PostgresServer server = SharedPostgres.choose(theirs.jdbcUrl(), null);
            String url = server.freshDatabase();
            assertThat(server.canBeKilled()).isFalse();
            assertThatThrownBy(server::killHard).isInstanceOf(UnsupportedOperationException.class);
            tell(url, "CREATE TABLE mine (id int)");

            server.close();

            assertThat(ask(theirs.jdbcUrl(), "SELECT count(*) FROM pg_database WHERE datname LIKE 'refrain%'"))
                    .isEqualTo("0");
        }
    }

    @Test
    void userWhoMayNotCreateDatabasesGetsASchema() throws SQLException {
        try (var theirs = PostgresServer.start()) {
            tell(theirs.jdbcUrl(), "CREATE ROLE modest LOGIN PASSWORD 'pw'");
            tell(theirs.jdbcUrl(), "GRANT CREATE ON DATABASE postgres TO modest");
            String modest = theirs.jdbcUrl().replaceAll("\\?.*", "?user=modest&password=pw");
            try (PostgresServer server = SharedPostgres.choose(null, modest)) {
                String url = server.freshDatabase();
                tell(url, "CREATE TABLE mine (id int)");
                assertThat(ask(url, "SELECT current_schema()")).startsWith("refrain_");
            }
            assertThat(ask(theirs.jdbcUrl(), "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'refrain%'"))
                    .isEqualTo("0");
        }
    }

    /** Fallbacks of root where user namespaces are refused. */
    @ParameterizedTest
    @ValueSource(strings = {"setpriv", "runuser"})
    void rootCanStepDownInOtherWays(String name) throws SQLException {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root has to step down");
        UnprivilegedCommand how = UnprivilegedCommand.FOR_ROOT.stream()
                .filter(candidate -> candidate.name().equals(name))
                .findFirst()
                .orElseThrow();
        assumeTrue(how.works(), name + " is not to be had here");
        try (var server = PostgresServer.builder().unprivileged(how).start()) {
            server.killHard();
            server.restart();
            assertThat(ask(server.jdbcUrl(), "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void serverEndsWhenItsJvmIsKilled() throws Exception {
        Process jvm = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ServerInAnotherJvm.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        long postmaster;
        try (var output = jvm.inputReader()) {
            postmaster = Long.parseLong(CompletableFuture.supplyAsync(
                            () -> output.lines().findFirst().orElseThrow())
                    .get());
            assertThat(ProcessHandle.of(postmaster)).isPresent();

            jvm.destroyForcibly().waitFor();
        }

        await().until(() ->
                ProcessHandle.of(postmaster).filter(Postmaster::runs).isEmpty());
    }

    private static String ask(String url, String query) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        }
    }

    private static void tell(String url, String command) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(command);
        }
    }
}
