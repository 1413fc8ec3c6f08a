package dev.refrain.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.Payload;
import dev.refrain.store.encryption.EncryptingStore;
import dev.refrain.store.encryption.EncryptionKeyRing;
import dev.refrain.store.jdbc.internal.sqlite.SqliteDataSourceFactory;
import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageLeaseRequest;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.OutboxStore;
import dev.refrain.store.outbox.StagedMessage;
import dev.refrain.store.outbox.WaitingMessageSearch;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages of an encrypting store: what is stored, and what becomes of one that does not decrypt. */
class EncryptedOutboxTest {

    private static final EncryptionKeyRing OLD = EncryptionKeyRing.of("old", secret(1));
    private static final EncryptionKeyRing NEW = EncryptionKeyRing.of("new", secret(2));

    @TempDir
    Path directory;

    private DataSource source;
    private JdbcStore inner;

    @BeforeEach
    void open() {
        source = SqliteDataSourceFactory.at(directory.resolve("refrain.db"));
        inner = JdbcStore.on(source);
        // A rotation: the store knows both keys, so that an instance may lack one of them.
        EncryptingStore.around(inner, OLD);
        EncryptingStore.around(inner, NEW.and("old", secret(1)));
    }

    @AfterEach
    void close() {
        inner.close();
    }

    private static byte[] secret(int fill) {
        var secret = new byte[32];
        java.util.Arrays.fill(secret, (byte) fill);
        return secret;
    }

    private OutboxStore<Connection> outbox(EncryptionKeyRing ring) {
        return EncryptingStore.around(inner, ring).outbox(inner.outbox());
    }

    private void stage(EncryptionKeyRing ring, String text) throws SQLException {
        try (var connection = source.getConnection()) {
            connection.setAutoCommit(false);
            outbox(ring)
                    .stage(
                            connection,
                            new StagedMessage(
                                    UUID.randomUUID(), "t", null, Payload.of(text.getBytes(StandardCharsets.UTF_8))));
            connection.commit();
        }
    }

    private static List<LeasedMessage> take(OutboxStore<Connection> from) {
        return from.leaseMessages(new MessageLeaseRequest("t", Duration.ofMinutes(1), 10, 10, 1 << 20));
    }

    private static String text(Payload payload) {
        return new String(payload.bytes(), StandardCharsets.UTF_8);
    }

    @Test
    void storedMessageIsEncrypted() throws SQLException {
        stage(OLD, "card 4242");

        var stored = take(inner.outbox()).getFirst();

        assertThat(new String(stored.payload().bytes(), StandardCharsets.ISO_8859_1))
                .doesNotContain("4242");
    }

    @Test
    void messageWhoseSecretIsNotKnownHereIsPutOffWithTheReasonAndHoldsUpNoOther() throws SQLException {
        stage(OLD, "first");
        stage(NEW, "second");

        assertThat(take(outbox(NEW)))
                .singleElement()
                .satisfies(message -> assertThat(text(message.payload())).isEqualTo("second"));

        var waiting = inner.outboxBrowser()
                .searchWaiting(new WaitingMessageSearch(Optional.of("t"), true, Optional.empty(), 10))
                .rows();
        assertThat(waiting).singleElement().satisfies(message -> {
            assertThat(message.reason().orElseThrow()).contains("'old'").contains("add it as a former key");
            assertThat(message.attempts()).isZero();
        });
        new RawSql(source).execute("UPDATE refrain_outbox SET due_at = 0, lease_until = 0");
        assertThat(take(outbox(NEW.and("old", secret(1)))))
                .extracting(message -> text(message.payload()))
                .contains("first");
    }

    @Test
    void deadLetterThatDoesNotDecryptIsListedWithoutItsContents() throws SQLException {
        stage(OLD, "first");
        var taken = take(outbox(OLD)).getFirst();
        outbox(OLD)
                .settle(List.of(
                        new MessageSettlement.Dead(taken.row(), MessageSettlement.Cause.REFUSED, 0, "not wanted")));

        assertThat(outbox(OLD).deadLetters(null, 10)).singleElement().satisfies(letter -> {
            assertThat(text(letter.payload())).isEqualTo("first");
            assertThat(letter.reason()).isEqualTo("not wanted");
        });
        assertThat(outbox(NEW).deadLetters(null, 10)).singleElement().satisfies(letter -> {
            assertThat(letter.payload().size()).isZero();
            assertThat(letter.reason()).startsWith("(encrypted)").contains("'old'");
        });
    }
}
