package dev.refrain.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.cli.FirstExample.Payment;
import dev.refrain.cli.FirstExample.PaymentRequest;
import dev.refrain.servers.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Runs the README's first example and checks that the README shows the same code. */
class ReadmeTest {

    private static final Path ROOT = Path.of("..");

    @Test
    void readmeShowsTheTestedExample() throws IOException {
        String source = Files.readString(ROOT.resolve("cli/src/test/java/dev/refrain/cli/FirstExample.java"));
        String shown = source.substring(
                source.indexOf("// README begins\n") + "// README begins\n".length(),
                source.indexOf("        // README ends"));

        assertThat(Files.readString(ROOT.resolve("README.md")))
                .contains("```java\n" + shown.stripTrailing().stripIndent() + "\n```");
    }

    @Test
    void exampleChargesAndBooksOnce() throws SQLException {
        var dataSource = new PGSimpleDataSource();
        dataSource.setUrl(PostgresServer.shared().freshDatabase());
        try (var connection = dataSource.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE ledger (cents bigint)");
        }
        Set<String> keysSent = ConcurrentHashMap.newKeySet();
        FirstExample.Provider provider = (request, idempotencyKey) -> {
            assertThat(keysSent.add(idempotencyKey)).as("charged once").isTrue();
            return new Payment("ch_" + idempotencyKey, request.cents());
        };
        var request = new PaymentRequest("4242", 1_999);

        var first = FirstExample.run(dataSource, provider, "acme", "key-1", request);
        var again = FirstExample.run(dataSource, provider, "acme", "key-1", request);

        assertThat(again).isEqualTo(first);
        try (var connection = dataSource.getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT count(*) FROM ledger")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getInt(1)).isEqualTo(1);
        }
    }
}
