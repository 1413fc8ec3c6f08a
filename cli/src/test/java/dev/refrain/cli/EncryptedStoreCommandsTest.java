package dev.refrain.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.api.EffectUnknownException;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.encryption.EncryptingStore;
import dev.refrain.store.encryption.EncryptionKeyRing;
import dev.refrain.store.jdbc.JdbcStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Operator commands on a store whose applications encrypt. */
class EncryptedStoreCommandsTest {

    private static final byte[] SECRET = new byte[32];

    @TempDir
    Path directory;

    private String url;
    private JdbcStore jdbc;
    private Refrain refrain;

    @BeforeEach
    void open() {
        url = OperatorTestStore.SQLITE.fresh(directory);
        jdbc = OperatorTestStore.open(url);
        refrain = Refrain.using(EncryptingStore.around(jdbc, EncryptionKeyRing.of("2026-11", SECRET)));
    }

    @AfterEach
    void close() {
        refrain.close();
        jdbc.close();
    }

    private static OperationCall call(String key) {
        return OperationCall.scope("acme").key(key).request("pay 7");
    }

    private AttentionItem waiting(String key) {
        assertThatThrownBy(() -> refrain.operation("pay")
                .leased(LeaseExpiryPolicy.HOLD)
                .run(call(key), claim -> {
                    throw new EffectUnknownException("The bank of Eve did not answer.", null);
                }));
        return refrain.admin().listAttention(10).getLast();
    }

    private Path keys(String id, byte[] secret) throws IOException {
        return Files.writeString(
                directory.resolve("keys"), id + "=" + Base64.getEncoder().encodeToString(secret) + "\n");
    }

    private CommandResult run(String... arguments) {
        return CommandResult.refrain(
                Stream.concat(Stream.of(arguments), Stream.of("--store", url)).toArray(String[]::new));
    }

    private CommandResult resolve(AttentionItem item, String... more) {
        var arguments = Stream.concat(
                        Stream.of(
                                "keys",
                                "resolve",
                                "--id",
                                item.claim().id().toString(),
                                "--status",
                                "201",
                                "--reason",
                                "the bank has it",
                                "--yes"),
                        Stream.of(more))
                .toArray(String[]::new);
        return run(arguments);
    }

    @Test
    void responseWithoutTheKeysIsRefusedAndTheKeyStaysAsItWas() {
        var item = waiting("k1");

        var refused = resolve(item);

        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err())
                .contains("This store is encrypted", "--encryption-keys")
                .hasLineCount(1);
        assertThat(refrain.admin().listAttention(10)).hasSize(1);
    }

    @Test
    void responseWithTheKeysIsReplayedByTheApplication() throws IOException {
        var item = waiting("k1");
        Path body = Files.writeString(directory.resolve("answer"), "paid");

        assertThat(resolve(
                                item,
                                "--body",
                                body.toString(),
                                "--encryption-keys",
                                keys("2026-11", SECRET).toString())
                        .exitCode())
                .isZero();

        var replayed = refrain.operation("pay").leased(LeaseExpiryPolicy.HOLD).run(call("k1"), claim -> {
            throw new AssertionError("ran again");
        });
        assertThat(new String(replayed.body().bytes(), StandardCharsets.UTF_8)).isEqualTo("paid");
    }

    @Test
    void reasonsAndContentsAreShownWithTheKeysAlone() throws IOException {
        waiting("k1");
        refrain.operation("pay")
                .leased(LeaseExpiryPolicy.HOLD)
                .run(call("k2"), claim -> Outcome.Answer.of(200, "secret".getBytes(StandardCharsets.UTF_8)));
        String keys = keys("2026-11", SECRET).toString();

        assertThat(run("attention").out()).contains("k1").doesNotContain("Eve");
        assertThat(run("attention", "--encryption-keys", keys).out()).contains("The bank of Eve");
        assertThat(run("keys", "list", "--encryption-keys", keys).exitCode()).isZero();
        var show = List.of("keys", "show", "--scope", "acme", "--namespace", "pay", "--key", "k2");
        var reveal = List.of("--reveal", "--reason", "ticket 7", "--yes", "--encryption-keys", keys);
        assertThat(run(Stream.concat(show.stream(), reveal.stream()).toArray(String[]::new))
                        .out())
                .contains("secret");
    }

    /** A person looks at it; whoever replays it decides for himself whether to trust it. */
    @Test
    void responseStoredBeforeEncryptionIsShownToo() throws IOException {
        jdbc.close();
        url = OperatorTestStore.SQLITE.fresh(Files.createDirectory(directory.resolve("plain")));
        jdbc = OperatorTestStore.open(url);
        try (var plain = Refrain.using(jdbc)) {
            plain.operation("pay")
                    .leased(LeaseExpiryPolicy.HOLD)
                    .run(call("k1"), claim -> Outcome.Answer.of(200, "of before".getBytes(StandardCharsets.UTF_8)));
        }
        var ring = EncryptionKeyRing.of("2026-11", SECRET).readingPlain();
        Refrain.using(EncryptingStore.around(jdbc, ring)).close();

        assertThat(run(
                                "keys",
                                "show",
                                "--scope",
                                "acme",
                                "--namespace",
                                "pay",
                                "--key",
                                "k1",
                                "--reveal",
                                "--reason",
                                "ticket 7",
                                "--yes",
                                "--encryption-keys",
                                keys("2026-11", SECRET).toString())
                        .out())
                .contains("of before");
    }

    @Test
    void keysThatTheApplicationsDoNotHaveAreRefused() throws IOException {
        var item = waiting("k1");
        var another = new byte[32];
        another[0] = 1;

        var unknownId =
                resolve(item, "--encryption-keys", keys("2027-01", another).toString());
        assertThat(unknownId.exitCode()).isEqualTo(1);
        assertThat(unknownId.err()).contains("No application encrypts with key '2027-01'", "2026-11");
        var wrongSecret =
                resolve(item, "--encryption-keys", keys("2026-11", another).toString());
        assertThat(wrongSecret.err()).contains("another secret");
        Path malformed = Files.writeString(directory.resolve("keys"), "2026-11 nonsense");
        assertThat(resolve(item, "--encryption-keys", malformed.toString()).err())
                .contains("is not id=secret")
                .doesNotContain("nonsense");
    }

    @Test
    void gatewayIsRefusedOnAnEncryptedStore() {
        var refused = CommandResult.refrain(
                "gateway", "--upstream", "http://localhost:9", "--listen", "0", "--admin", "off", "--store", url);

        assertThat(refused.exitCode()).isNotZero();
        assertThat(refused.err())
                .contains("other instances encrypt in it", "A gateway does not encrypt", "docs/encryption.md");
    }
}
