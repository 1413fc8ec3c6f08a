package dev.refrain.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.RequestMismatchException;
import dev.refrain.cli.readme.Payments;
import dev.refrain.cli.readme.Payments.Payment;
import dev.refrain.cli.readme.Payments.PaymentRequest;
import dev.refrain.servers.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Runs the README's plain example and checks that the README shows the same code. */
class ReadmeTest {

    private static final Path ROOT = Path.of("..");

    @Test
    void readmeShowsTheTestedExample() throws IOException {
        String source = Files.readString(Path.of("src/test/java/dev/refrain/cli/readme/Payments.java"));
        String shown = source.replaceFirst("package .*;\n\n", "").replaceFirst("/\\*\\* .* \\*/\npublic", "public");

        assertThat(Files.readString(ROOT.resolve("README.md"))).contains("```java\n" + shown + "```");
    }

    @Test
    void exampleChargesAndBooksOnce() throws SQLException {
        var dataSource = new PGSimpleDataSource();
        dataSource.setUrl(PostgresServer.shared().freshDatabase());
        try (var connection = dataSource.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE ledger (id text, cents bigint)");
        }
        Set<String> keysSent = ConcurrentHashMap.newKeySet();
        Payments.Provider provider = (request, idempotencyKey) -> {
            assertThat(keysSent.add(idempotencyKey)).as("charged once").isTrue();
            return new Payment("ch_" + idempotencyKey, request.cents());
        };
        var request = new PaymentRequest("4242", 1_999);

        try (var payments = new Payments(dataSource, provider)) {
            assertThat(payments.create("acme", "key-1", request)).isEqualTo(payments.create("acme", "key-1", request));
            assertThatThrownBy(() -> payments.create("acme", "key-1", new PaymentRequest("4242", 1)))
                    .isInstanceOf(RequestMismatchException.class);
        }

        try (var connection = dataSource.getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT count(*) FROM ledger")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getInt(1)).isEqualTo(1);
        }
    }
}
