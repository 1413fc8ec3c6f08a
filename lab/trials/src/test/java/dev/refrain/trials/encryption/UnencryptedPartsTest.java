package dev.refrain.trials.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.Refrain;
import dev.refrain.flow.FlowRunner;
import dev.refrain.outbox.Outbox;
import dev.refrain.outbox.Relay;
import dev.refrain.outbox.jobs.KeyedJobQueue;
import dev.refrain.store.encryption.EncryptingStore;
import dev.refrain.store.encryption.EncryptionKeyRing;
import dev.refrain.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.util.Arrays;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parts that would write in the clear beside an encrypted store are refused when they are built. */
class UnencryptedPartsTest {

    private static final EncryptionKeyRing RING = EncryptionKeyRing.of("2026-11", secret(1));

    @TempDir
    Path directory;

    private JdbcStore jdbc;
    private EncryptingStore store;
    private Refrain refrain;

    @BeforeEach
    void open() {
        jdbc = JdbcStore.sqlite(directory.resolve("refrain.db"));
        store = EncryptingStore.around(jdbc, RING);
        refrain = Refrain.using(store);
    }

    @AfterEach
    void close() {
        refrain.close();
        jdbc.close();
    }

    private static byte[] secret(int fill) {
        var secret = new byte[32];
        Arrays.fill(secret, (byte) fill);
        return secret;
    }

    private static void refused(ThrowingCallable building, String user, String remedy) {
        assertThatThrownBy(building)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(user)
                .hasMessageContaining("in the clear")
                .hasMessageContaining(remedy);
    }

    @Test
    void flowsWithoutTheWrappedTransactionsAreRefusedWhenTheirRunnerIsBuilt() {
        refused(
                () -> FlowRunner.on(refrain, jdbc.transactions()),
                "Cannot run flows",
                "encryptingStore.transactions(jdbcStore.transactions())");
        assertThatCode(() -> FlowRunner.on(refrain, store.transactions(jdbc.transactions())))
                .doesNotThrowAnyException();
    }

    @Test
    void transactionalOperationWithoutTheWrappedTransactionsIsRefusedWhenItIsBuilt() {
        var book = refrain.operation("book", String.class);
        String remedy = "encryptingStore.transactions(jdbcStore.transactions())";
        refused(() -> book.transactional(jdbc.transactions()), "book", remedy);
        refused(() -> book.phased(jdbc.transactions()), "book", remedy);
        assertThatCode(() -> book.transactional(store.transactions(jdbc.transactions())))
                .doesNotThrowAnyException();
    }

    @Test
    void messagesAndJobsWithoutTheWrappedOutboxAreRefusedWhenTheyAreBuilt() {
        var transactions = store.transactions(jdbc.transactions());
        String remedy = "encryptingStore.outbox(jdbcStore.outbox())";
        refused(() -> Outbox.on(refrain, jdbc.outbox()), "Cannot stage messages", remedy);
        refused(() -> Relay.on(refrain, jdbc.outbox()), "Cannot deliver messages", remedy);
        refused(() -> KeyedJobQueue.on(refrain, transactions, jdbc.outbox()), "Cannot stage messages", remedy);
        refused(
                () -> KeyedJobQueue.on(refrain, jdbc.transactions(), store.outbox(jdbc.outbox())),
                "Cannot run jobs",
                "encryptingStore.transactions");
        assertThatCode(() -> KeyedJobQueue.on(refrain, transactions, store.outbox(jdbc.outbox())))
                .doesNotThrowAnyException();
    }

    @Test
    void instanceWithoutTheRingIsRefusedOnceAnotherOneEncrypts() {
        assertThatThrownBy(() -> Refrain.using(jdbc))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("other instances encrypt in it (keys 2026-11 ")
                .hasMessageContaining("EncryptingStore.around(store, ring)");
    }

    @Test
    void anotherSecretUnderAUsedIdIsRefusedAtStart() {
        assertThatThrownBy(() -> EncryptingStore.around(jdbc, EncryptionKeyRing.of("2026-11", secret(2))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("encryption.keys.2026-11 is another secret");
        var rotated = EncryptionKeyRing.of("2026-12", secret(2)).and("2026-11", secret(1));
        assertThat(EncryptingStore.around(jdbc, rotated).traits().encrypted()).isTrue();
    }
}
