package dev.refrain.cli;

import static dev.refrain.cli.CommandResult.refrain;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.servers.DynamoDbLocal;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The command line on DynamoDB: it makes the table, lists what needs attention, and refuses what needs browsing. */
@EnabledIfSystemProperty(named = "tests.stores", matches = "true", disabledReason = "needs DynamoDB Local: -Pstores")
class DynamoDbCommandsTest {

    private static DynamoDbLocal server;

    @BeforeAll
    static void startServer() {
        server = DynamoDbLocal.start();
        System.setProperty("aws.accessKeyId", "any");
        System.setProperty("aws.secretAccessKey", "any");
    }

    @AfterAll
    static void stopServer() {
        System.clearProperty("aws.accessKeyId");
        System.clearProperty("aws.secretAccessKey");
        server.close();
    }

    private static String url(String table) {
        return "dynamodb://eu-central-1/" + table + "?endpoint=" + server.endpoint();
    }

    @Test
    void tableIsCreatedByMigrateAndByNothingElse() {
        CommandResult missing = refrain("attention", "--store", url("keys"));
        assertThat(missing.exitCode()).isEqualTo(1);
        assertThat(missing.err())
                .contains("There is no table keys", "`refrain migrate")
                .hasLineCount(1);

        CommandResult migrated = refrain("migrate", "--store", url("keys"));
        assertThat(migrated.exitCode()).as(migrated.err()).isZero();
        assertThat(migrated.out()).contains("The table is there: DynamoDB.");
        assertThat(refrain("migrate", "--json", "--store", url("keys")).out()).contains("\"store\"");

        CommandResult listed = refrain("attention", "--store", url("keys"));
        assertThat(listed.exitCode()).as(listed.err()).isZero();
    }

    @Test
    void browsingIsRefused() {
        assertThat(refrain("migrate", "--browsing", "--store", url("browsed")).err())
                .contains("This store cannot be browsed");
        refrain("migrate", "--store", url("browsed"));
        assertThat(refrain("keys", "list", "--store", url("browsed")).err()).contains("browsing");
    }
}
