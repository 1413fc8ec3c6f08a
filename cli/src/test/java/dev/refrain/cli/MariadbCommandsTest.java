package dev.refrain.cli;

import static dev.refrain.cli.CommandResult.refrain;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.servers.MariadbServer;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The command line on MariaDB: that it gets there, and says why not. What it does there, its tests on other databases show. */
@EnabledIfSystemProperty(named = "tests.stores", matches = "true", disabledReason = "needs MariaDB: -Pstores")
class MariadbCommandsTest {

    private static final MariadbServer SERVER = MariadbServer.shared();

    @Test
    void tablesAreCreatedAndKeysListed() throws SQLException {
        String url = withoutPassword();
        assertThat(refrain("attention", "--store", url).err())
                .contains("tables are missing", "`refrain migrate`")
                .hasLineCount(1);

        CommandResult migrated = refrain("migrate", "--browsing", "--store", url);
        assertThat(migrated.exitCode()).as(migrated.err()).isZero();

        CommandResult listed = refrain("keys", "list", "--store", url);
        assertThat(listed.exitCode()).as(listed.err()).isZero();
        assertThat(refrain("attention", "--store", url).exitCode()).isZero();
    }

    /** Commands refuse a password in a URL, and the environment of this process cannot be changed: a user who needs none. */
    private static String withoutPassword() throws SQLException {
        String url = SERVER.freshDatabase();
        String database = url.replaceFirst("^.*/([^/?]+)\\?.*$", "$1");
        try (var connection = MariadbServer.dataSource(url).getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE OR REPLACE USER 'open'@'127.0.0.1'");
            statement.execute("GRANT ALL ON " + database + ".* TO 'open'@'127.0.0.1'");
        }
        return SERVER.urlFor(database, "open", "").replaceFirst("&password=.*$", "");
    }

    @Test
    void missingDriverIsNamedWithWhereToPutIt() {
        CommandResult ran = refrain("attention", "--store", "jdbc:mysql://localhost:1/none");
        assertThat(ran.exitCode()).isEqualTo(1);
        assertThat(ran.err())
                .contains("com.mysql:mysql-connector-j", "jdbc:mariadb:", "folder lib")
                .hasLineCount(1);
    }

    @Test
    void unreachableServerIsReportedInOneLine() {
        assertThat(refrain("attention", "--store", "jdbc:mariadb://localhost:1/none")
                        .err())
                .contains("Cannot connect to jdbc:mariadb://localhost:1/none")
                .hasLineCount(1);
    }
}
