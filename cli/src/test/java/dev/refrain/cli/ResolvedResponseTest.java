package dev.refrain.cli;

import static dev.refrain.cli.CommandResult.refrain;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Retention;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.Fingerprint;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.jdbc.JdbcStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code keys resolve} stores only responses that can be sent to clients. */
class ResolvedResponseTest {

    private static final ScopedKey KEY = new ScopedKey("acme", "pay", "k");

    @TempDir
    Path directory;

    private String url;
    private JdbcStore store;
    private ClaimRef claim;

    @BeforeEach
    void recordInAttention() {
        url = OperatorTestStore.SQLITE.fresh(directory);
        store = OperatorTestStore.open(url);
        var request = ClaimRequest.of(
                KEY,
                Fingerprint.stored("1/test", new byte[Fingerprint.DIGEST_BYTES]),
                ExecutionEnvironment.system().newNonce(),
                Duration.ofMinutes(5),
                LeaseExpiryPolicy.HOLD,
                Retention.of(Duration.ofHours(24)));
        claim = ((ClaimResponse.Acquired) store.claim(List.of(request)).getFirst())
                .record()
                .claim();
        store.write(List.of(new RecordWrite.Escalate(claim, "nobody knows")));
    }

    @AfterEach
    void close() {
        store.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"X Y: z", "X : z", "X\r\nY: z", "Ä: z", "X(1): z", " X: z"})
    void namesAreTokens(String header) {
        assertRefused("is not a header name", "--status", "201", "--header", header);
    }

    @ParameterizedTest
    @ValueSource(strings = {"X: a\r\nSet-Cookie: b", "X: a\0b", "X: a\tb", "X: a\u007fb", "X: a\u0085b", "X: 5 \u20ac"})
    void valuesAreLatin1WithoutControlCharacters(String header) {
        assertRefused("The value of the header X has control characters", "--status", "201", "--header", header);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Connection",
                "keep-alive",
                "Proxy-Connection",
                "Proxy-Authenticate",
                "Proxy-Authorization",
                "TE",
                "Trailer",
                "Transfer-Encoding",
                "Upgrade",
                "content-length",
                "Date",
                "Set-Cookie",
                "Idempotent-Replayed"
            })
    void headersOfOneConnectionOrMomentAreRefused(String name) {
        assertRefused("The header " + name + " cannot be given", "--status", "201", "--header", name + ": 1");
    }

    @Test
    void headersHaveALimit() {
        String half = "x".repeat(4_100);
        assertRefused("larger than 8 KB", "--status", "201", "--header", "A: " + half, "--header", "B: " + half);
    }

    @ParameterizedTest
    @ValueSource(strings = {"204", "304"})
    void statusesWithoutABodyTakeNone(String status) throws Exception {
        var body = Files.writeString(directory.resolve("body"), "paid");
        assertRefused("leave the body out", "--status", status, "--body", body.toString());
        assertThat(resolve("--status", status).exitCode()).isZero();
    }

    @Test
    void otherHeadersAreStored() {
        var resolved =
                resolve("--status", "201", "--header", "X-Name: M\u00fcller & Co", "--header", "Location:/pay/1");
        assertThat(resolved.exitCode()).as(resolved.err()).isZero();
        assertThat(state()).isEqualTo(RecordState.COMPLETED);
    }

    private void assertRefused(String why, String... response) {
        var refused = resolve(response);
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains(why).hasLineCount(1);
        assertThat(state()).isEqualTo(RecordState.ATTENTION);
    }

    private RecordState state() {
        return store.recordBrowser().find(KEY).orElseThrow().state();
    }

    private CommandResult resolve(String... response) {
        String id = claim.id().toString();
        return refrain(Stream.concat(
                        Stream.of("keys", "resolve", "--id", id, "--reason", "x", "--yes", "--store", url),
                        Stream.of(response))
                .toArray(String[]::new));
    }
}
