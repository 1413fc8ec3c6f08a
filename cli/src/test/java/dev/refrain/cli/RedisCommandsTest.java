package dev.refrain.cli;

import static dev.refrain.cli.CommandResult.refrain;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Payload;
import dev.refrain.api.Retention;
import dev.refrain.api.ScopedKey;
import dev.refrain.servers.RedisServer;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.Fingerprint;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.Store;
import dev.refrain.store.StoreLocation;
import dev.refrain.store.encryption.EncryptingStore;
import dev.refrain.store.encryption.EncryptionKeyRing;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line on a store that cannot be browsed: decisions work, and lists of keys are refused before anything is done. */
class RedisCommandsTest {

    /** Commands refuse a password in a URL, and the environment of this process cannot be changed. */
    private static RedisServer server;

    @BeforeAll
    static void startServer() {
        server = RedisServer.start(Map.of("requirepass", ""));
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    private static String url() {
        return "redis://127.0.0.1:" + server.port();
    }

    private static ScopedKey identity(String key) {
        return new ScopedKey("acme", "orders", key);
    }

    /** Leaves a record in ATTENTION and returns its id. */
    private static String escalated(Store store, String key) {
        var claimed = (ClaimResponse.Acquired) store.claim(List.of(ClaimRequest.of(
                        identity(key),
                        new Fingerprint("1/test", new byte[Fingerprint.DIGEST_BYTES]),
                        UUID.randomUUID(),
                        Duration.ofMinutes(10),
                        LeaseExpiryPolicy.HOLD,
                        Retention.of(Duration.ofHours(24)))))
                .getFirst();
        store.write(List.of(new RecordWrite.Escalate(claimed.record().claim(), "the connection broke")));
        return claimed.record().claim().id().toString();
    }

    private static RecordState stateOf(Store store, String key) {
        return store.find(List.of(identity(key))).getFirst().orElseThrow().state();
    }

    @Test
    void keysInAttentionAreListedAndDecidedOn() {
        try (var store = StoreLocation.of(url()).open()) {
            String id = escalated(store, "order-1");
            escalated(store, "order-2");

            CommandResult listed = refrain("attention", "--store", url());
            assertThat(listed.exitCode()).as(listed.err()).isZero();
            assertThat(listed.out()).contains("order-1", "order-2", "the connection broke");

            CommandResult released = refrain(
                    "keys", "release", "--store", url(), "--id", id, "--by", "ann", "--reason", "ticket 7", "--yes");
            assertThat(released.exitCode()).as(released.err()).isZero();
            assertThat(stateOf(store, "order-1")).isEqualTo(RecordState.RELEASED);

            CommandResult resolved = refrain(
                    "keys",
                    "resolve",
                    "--store",
                    url(),
                    "--scope",
                    "acme",
                    "--namespace",
                    "orders",
                    "--key",
                    "order-2",
                    "--by",
                    "ann",
                    "--reason",
                    "ticket 7",
                    "--yes");
            assertThat(resolved.exitCode()).as(resolved.err()).isZero();
            assertThat(stateOf(store, "order-2")).isEqualTo(RecordState.COMPLETED);

            assertThat(refrain(
                                    "keys",
                                    "release",
                                    "--store",
                                    url(),
                                    "--id",
                                    id,
                                    "--by",
                                    "ann",
                                    "--reason",
                                    "again",
                                    "--yes")
                            .err())
                    .contains("No such record in ATTENTION")
                    .hasLineCount(1);
        }
    }

    /** The applications could not read a response in the clear, and their callers would be told so for ever. */
    @Test
    void responseInTheClearIsRefusedWhereApplicationsEncrypt(@TempDir Path directory) throws IOException {
        String encrypted = url() + "?key-prefix=encrypted";
        String secret = "k1=" + "A".repeat(43) + "=";
        var keys = Files.writeString(directory.resolve("keys"), secret + "\n");
        try (var store = StoreLocation.of(encrypted).open()) {
            var application = EncryptingStore.around(store, EncryptionKeyRing.parse(secret));
            String id = escalated(application, "order-1");
            String[] resolve = {
                "keys", "resolve", "--store", encrypted, "--id", id, "--status", "201", "--reason", "ticket 7", "--yes"
            };

            CommandResult refused = refrain(resolve);

            assertThat(refused.exitCode()).isEqualTo(1);
            assertThat(refused.err())
                    .contains("This store is encrypted", "--encryption-keys")
                    .hasLineCount(1);
            assertThat(stateOf(application, "order-1")).isEqualTo(RecordState.ATTENTION);

            CommandResult resolved =
                    refrain(Stream.concat(Stream.of(resolve), Stream.of("--encryption-keys", keys.toString()))
                            .toArray(String[]::new));

            assertThat(resolved.exitCode()).as(resolved.err()).isZero();
            assertThat(application
                            .find(List.of(identity("order-1")))
                            .getFirst()
                            .orElseThrow()
                            .outcome())
                    .isPresent();
        }
    }

    @Test
    void gatewayIsRefusedOnAnEncryptedStore() {
        String encrypted = url() + "?key-prefix=encrypted-too";
        try (var store = StoreLocation.of(encrypted).open()) {
            EncryptingStore.around(store, EncryptionKeyRing.parse("k1=" + "A".repeat(43) + "="));
        }

        CommandResult refused = refrain(
                "gateway", "--upstream", "http://localhost:9", "--listen", "0", "--admin", "off", "--store", encrypted);

        assertThat(refused.exitCode()).isNotZero();
        assertThat(refused.err()).contains("other instances encrypt in it", "A gateway does not encrypt");
    }

    @Test
    void keysOfAScopeAreErasedAndExpiredOnesReaped() {
        try (var store = StoreLocation.of(url()).open()) {
            var kept = new ScopedKey("eve", "orders", "kept");
            var expired = new ScopedKey("eve", "orders", "expired");
            store.write(List.of(new RecordWrite.Complete(
                    claimed(store, kept, Duration.ofHours(24)),
                    Optional.of(Payload.of("paid".getBytes(StandardCharsets.UTF_8))),
                    Optional.empty())));
            store.write(List.of(new RecordWrite.Release(claimed(store, expired, Duration.ofMillis(1)))));

            CommandResult reaped = refrain("reap", "--store", url());
            assertThat(reaped.exitCode()).as(reaped.err()).isZero();
            assertThat(reaped.out()).contains("Reaped 1 expired records");

            CommandResult erased = refrain(
                    "erase", "--store", url(), "--scope", "eve", "--by", "ann", "--reason", "ticket 8", "--yes");
            assertThat(erased.exitCode()).as(erased.err()).isZero();
            assertThat(erased.out()).contains("Erased 1 records");
            assertThat(store.find(List.of(kept)).getFirst().orElseThrow().outcome())
                    .isEmpty();
        }
    }

    private static ClaimRef claimed(Store store, ScopedKey identity, Duration retention) {
        var claimed = (ClaimResponse.Acquired) store.claim(List.of(ClaimRequest.of(
                        identity,
                        new Fingerprint("1/test", new byte[Fingerprint.DIGEST_BYTES]),
                        UUID.randomUUID(),
                        Duration.ofMinutes(10),
                        LeaseExpiryPolicy.HOLD,
                        Retention.of(retention))))
                .getFirst();
        return claimed.record().claim();
    }

    @ParameterizedTest
    @ValueSource(strings = {"keys list", "keys show --scope acme --namespace orders --key order-1"})
    void commandThatBrowsesIsRefusedWithTheMissingAbility(String command) {
        CommandResult ran = refrain(Stream.concat(Stream.of(command.split(" ")), Stream.of("--store", url()))
                .toArray(String[]::new));
        assertThat(ran.exitCode()).as(ran.out()).isEqualTo(1);
        assertThat(ran.err()).contains("\"browsing\"", "Redis 7").hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"outbox list", "deadletters list"})
    void commandAboutMessagesIsRefused(String command) {
        CommandResult ran = refrain(Stream.concat(Stream.of(command.split(" ")), Stream.of("--store", url()))
                .toArray(String[]::new));
        assertThat(ran.exitCode()).as(ran.out()).isEqualTo(1);
        assertThat(ran.err()).contains("outbox", "Redis 7").hasLineCount(1);
    }

    @Test
    void tablesAreNotCreated() {
        assertThat(refrain("migrate", "--store", url()).err())
                .contains("This store has no tables")
                .hasLineCount(1);
    }

    @Test
    void unreachableServerIsReportedInOneLine() {
        assertThat(refrain("attention", "--store", "redis://127.0.0.1:1").err())
                .contains("Redis at 127.0.0.1:1 is not reachable")
                .hasLineCount(1);
    }

    @Test
    void passwordOnTheCommandLineIsRefused() {
        assertThat(refrain("attention", "--store", "redis://:hidden@127.0.0.1").err())
                .contains("process list")
                .hasLineCount(1);
    }
}
