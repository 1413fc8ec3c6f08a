package dev.refrain.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.http.client.example.ClientExample;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compiles and runs the examples of the documentation. */
class ClientExampleTest {

    private static final Path ROOT = Path.of("../..");

    @ParameterizedTest
    @CsvSource({"ClientExample,3", "OkHttpExample,1", "ApacheExample,1"})
    void docsShowTheseExamples(String example, int parts) throws IOException {
        var source = Files.readString(Path.of("src/test/java/dev/refrain/http/client/example", example + ".java"));
        var page = Files.readString(ROOT.resolve("docs/client.md"));

        List<String> shown = Arrays.stream(source.split("// shown\n"))
                .skip(1)
                .map(part -> part.substring(0, part.indexOf("        // end")))
                .toList();
        assertThat(shown)
                .hasSize(parts)
                .allSatisfy(part -> assertThat(page)
                        .contains("```java\n" + part.stripTrailing().stripIndent() + "\n```"));
        assertThat(imports(source, shown))
                .isNotEmpty()
                .allSatisfy(imported -> assertThat(page.lines()).contains(imported));
    }

    /** Returns the imports that the shown parts need, as the example compiles with them in a package of its own. */
    private static List<String> imports(String source, List<String> shown) {
        return source.lines()
                .filter(line -> line.startsWith("import "))
                .filter(line -> {
                    String type = line.substring(line.lastIndexOf('.') + 1, line.length() - 1);
                    return shown.stream().anyMatch(part -> part.matches("(?s).*\\b" + type + "\\b.*"));
                })
                .toList();
    }

    @Test
    void workRunsOnceThoughTwoResponsesAreLost(@TempDir Path folder) throws Exception {
        var booked = new ArrayList<String>();
        try (var server = new IdempotentTestServer(2)) {
            var client = ClientExample.client(folder, () -> "token");
            ClientExample.pay(client, server.uri(), answer -> {
                booked.add(answer.text());
                assertThat(answer.replayed()).isTrue();
                assertThat(answer.attempts()).isEqualTo(3);
            });

            assertThat(server.works).hasValue(1);
            assertThat(booked).hasSize(1);
            assertThat(client.pending()).isEmpty();
        }
    }

    @Test
    void pendingRequestIsHandledAfterRestart(@TempDir Path folder) throws Exception {
        List<String> booked = new ArrayList<>();
        try (var server = new IdempotentTestServer(0)) {
            var client = ClientExample.client(folder, () -> "token");
            try {
                ClientExample.pay(client, server.uri(), answer -> {
                    throw new IllegalStateException("crash");
                });
            } catch (IllegalStateException crash) {
                assertThat(client.pending()).hasSize(1);
            }

            ClientExample.atStart(ClientExample.client(folder, () -> "token"), answer -> booked.add(answer.text()));

            assertThat(booked).singleElement().asString().startsWith("receipt");
            assertThat(server.works).hasValue(1);
        }
    }

    @Test
    void unreachableServerLeavesRequestPending(@TempDir Path folder) throws Exception {
        var client = RefrainClient.builder()
                .pendingRequests(PendingRequestStore.inFolder(folder))
                .clock(new ManualClientClock())
                .build();

        ClientExample.pay(client, URI.create("http://127.0.0.1:1/payments"), answer -> {});

        assertThat(client.pending()).hasSize(1);
    }
}
