package dev.refrain.store.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.fingerprint.Fingerprinter;
import dev.refrain.fingerprint.Request;
import dev.refrain.key.Identity;
import dev.refrain.outcome.Payload;
import dev.refrain.outcome.Retention;
import dev.refrain.store.ClaimAnswer;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.Store;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.TakeOver;
import dev.refrain.store.Write;
import dev.refrain.store.WriteAnswer;
import dev.refrain.store.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class EncryptingStoreTest {

    private static final Payload SECRET_ANSWER = Payload.of("card 4242 charged".getBytes(StandardCharsets.UTF_8));
    private static final Identity IDENTITY = new Identity("tenant", "payments", "key-1");

    private final MemoryStore inner = new MemoryStore();

    @Test
    void what_is_stored_does_not_hold_the_plain_bytes_and_comes_back_equal() {
        var store = EncryptingStore.around(inner, KeyRing.of("a", secret(1)));
        complete(store, SECRET_ANSWER);

        assertThat(new String(stored(inner).outcome().orElseThrow().bytes(), StandardCharsets.ISO_8859_1))
                .doesNotContain("4242");
        assertThat(stored(store).outcome()).contains(SECRET_ANSWER);
    }

    @Test
    void the_stored_request_and_the_carried_state_are_encrypted_too() {
        var store = EncryptingStore.around(inner, KeyRing.of("a", secret(1)));
        var acquired = claim(store, Optional.of(SECRET_ANSWER));
        store.write(List.of(new Write.Checkpoint(
                acquired.claim(), "charged", Optional.of(SECRET_ANSWER), Optional.of(Duration.ofSeconds(30)))));

        assertThat(stored(inner).request()).isPresent().isNotEqualTo(Optional.of(SECRET_ANSWER));
        assertThat(stored(inner).carried()).isPresent().isNotEqualTo(Optional.of(SECRET_ANSWER));
        assertThat(stored(store).request()).contains(SECRET_ANSWER);
        assertThat(stored(store).carried()).contains(SECRET_ANSWER);
    }

    @Test
    void after_a_rotation_the_former_key_still_reads_and_the_current_one_writes() {
        complete(EncryptingStore.around(inner, KeyRing.of("old", secret(1))), SECRET_ANSWER);

        var rotated = EncryptingStore.around(inner, KeyRing.of("new", secret(2)).and("old", secret(1)));
        assertThat(stored(rotated).outcome()).contains(SECRET_ANSWER);
        assertThat(text(stored(inner))).contains("old");
    }

    @Test
    void a_missing_key_is_named_and_nothing_is_answered() {
        complete(EncryptingStore.around(inner, KeyRing.of("old", secret(1))), SECRET_ANSWER);

        var without = EncryptingStore.around(inner, KeyRing.of("new", secret(2)));
        assertThatThrownBy(() -> stored(without))
                .isInstanceOf(RowRejectedException.class)
                .hasMessageContaining("'old'");
    }

    @Test
    void another_secret_under_the_same_id_does_not_decrypt() {
        complete(EncryptingStore.around(inner, KeyRing.of("a", secret(1))), SECRET_ANSWER);

        assertThatThrownBy(() -> stored(EncryptingStore.around(inner, KeyRing.of("a", secret(2)))))
                .isInstanceOf(RowRejectedException.class)
                .hasMessageContaining("does not decrypt");
    }

    @Test
    void every_changed_byte_is_noticed() {
        var cipher = new PayloadCipher(KeyRing.of("a", secret(1)));
        byte[] sealed = cipher.encrypt(SECRET_ANSWER, IDENTITY.hash(), PayloadCipher.Kind.OUTCOME)
                .bytes();
        for (int i = 0; i < sealed.length; i++) {
            byte[] changed = sealed.clone();
            changed[i] ^= 1;
            assertThatThrownBy(() -> cipher.decrypt(Payload.of(changed), IDENTITY.hash(), PayloadCipher.Kind.OUTCOME))
                    .as("byte %d", i)
                    .isInstanceOf(RowRejectedException.class);
        }
        for (int length = 0; length < sealed.length; length++) {
            byte[] cut = Arrays.copyOf(sealed, length);
            assertThatThrownBy(() -> cipher.decrypt(Payload.of(cut), IDENTITY.hash(), PayloadCipher.Kind.OUTCOME))
                    .as("cut at %d", length)
                    .isInstanceOf(RowRejectedException.class);
        }
    }

    @Test
    void a_payload_moved_to_another_record_or_column_does_not_decrypt() {
        var cipher = new PayloadCipher(KeyRing.of("a", secret(1)));
        var sealed = cipher.encrypt(SECRET_ANSWER, IDENTITY.hash(), PayloadCipher.Kind.OUTCOME);
        var elsewhere = new Identity("tenant", "payments", "key-2").hash();

        assertThatThrownBy(() -> cipher.decrypt(sealed, elsewhere, PayloadCipher.Kind.OUTCOME))
                .isInstanceOf(RowRejectedException.class);
        assertThatThrownBy(() -> cipher.decrypt(sealed, IDENTITY.hash(), PayloadCipher.Kind.REQUEST))
                .isInstanceOf(RowRejectedException.class);
    }

    @Test
    void the_same_write_sent_again_after_a_lost_reply_is_the_same_bytes_and_counts_as_written() {
        var store = EncryptingStore.around(inner, KeyRing.of("a", secret(1)));
        var write = new Write.Complete(
                claim(store, Optional.empty()).claim(), Optional.of(SECRET_ANSWER), Optional.empty());

        assertThat(store.write(List.of(write))).containsExactly(new WriteAnswer.Written());
        assertThat(store.write(List.of(write))).containsExactly(new WriteAnswer.Written());
    }

    @Test
    void equal_answers_of_different_records_are_stored_as_different_bytes() {
        var cipher = new PayloadCipher(KeyRing.of("a", secret(1)));
        var other = new Identity("tenant", "payments", "key-2").hash();

        assertThat(cipher.encrypt(SECRET_ANSWER, IDENTITY.hash(), PayloadCipher.Kind.OUTCOME))
                .isNotEqualTo(cipher.encrypt(SECRET_ANSWER, other, PayloadCipher.Kind.OUTCOME));
    }

    @Test
    void plain_payloads_of_before_are_read_only_where_that_was_asked_for() {
        complete(inner, SECRET_ANSWER);
        var ring = KeyRing.of("a", secret(1));

        assertThatThrownBy(() -> stored(EncryptingStore.around(inner, ring)))
                .isInstanceOf(RowRejectedException.class)
                .hasMessageContaining("not encrypted");
        assertThat(stored(EncryptingStore.around(inner, ring.readingPlain())).outcome())
                .contains(SECRET_ANSWER);
    }

    @Test
    void a_ring_refuses_short_secrets_and_ids_used_twice_and_never_prints_a_secret() {
        assertThatThrownBy(() -> KeyRing.of("a", new byte[16])).hasMessageContaining("32 bytes");
        assertThatThrownBy(() -> KeyRing.of("a", secret(1)).and("a", secret(2))).hasMessageContaining("twice");
        assertThat(KeyRing.of("a", secret(65)).toString()).doesNotContain("AAA").contains("a");
    }

    private static void complete(Store store, Payload outcome) {
        var acquired = claim(store, Optional.empty());
        store.write(List.of(new Write.Complete(acquired.claim(), Optional.of(outcome), Optional.empty())));
    }

    private static StoredRecord claim(Store store, Optional<Payload> request) {
        var fingerprint = Fingerprinter.unkeyed().of(Request.of("payments", "100"));
        var asked = ClaimRequest.of(
                        IDENTITY,
                        fingerprint,
                        UUID.randomUUID(),
                        Duration.ofSeconds(30),
                        TakeOver.RESUME,
                        Retention.of(Duration.ofHours(24)))
                .withStoredRequest(request);
        return ((ClaimAnswer.Acquired) store.claim(List.of(asked)).getFirst()).record();
    }

    private static StoredRecord stored(Store store) {
        return store.find(List.of(IDENTITY)).getFirst().orElseThrow();
    }

    private static String text(StoredRecord record) {
        return new String(record.outcome().orElseThrow().bytes(), StandardCharsets.ISO_8859_1);
    }

    private static byte[] secret(int fill) {
        byte[] secret = new byte[32];
        Arrays.fill(secret, (byte) fill);
        return secret;
    }
}
