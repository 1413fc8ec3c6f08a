package dev.refrain.store.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.RequestFingerprinter;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Payload;
import dev.refrain.api.RequestContent;
import dev.refrain.api.Retention;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.Fingerprint;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.Store;
import dev.refrain.store.StoreAbility;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.WriteResponse;
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
    private static final ScopedKey IDENTITY = new ScopedKey("tenant", "payments", "key-1");

    private final MemoryStore inner = new MemoryStore();

    @Test
    void whatIsStoredDoesNotHoldThePlainBytesAndComesBackEqual() {
        var store = EncryptingStore.around(inner, EncryptionKeyRing.of("a", secret(1)));
        complete(store, SECRET_ANSWER);

        assertThat(new String(stored(inner).outcome().orElseThrow().bytes(), StandardCharsets.ISO_8859_1))
                .doesNotContain("4242");
        assertThat(stored(store).outcome()).contains(SECRET_ANSWER);
    }

    @Test
    void theStoredRequestAndTheCarriedStateAreEncryptedToo() {
        var store = EncryptingStore.around(inner, EncryptionKeyRing.of("a", secret(1)));
        var acquired = claim(store, Optional.of(SECRET_ANSWER));
        store.write(List.of(new RecordWrite.Checkpoint(
                acquired.claim(), "charged", Optional.of(SECRET_ANSWER), Optional.of(Duration.ofSeconds(30)))));

        assertThat(stored(inner).request()).isPresent().isNotEqualTo(Optional.of(SECRET_ANSWER));
        assertThat(stored(inner).carried()).isPresent().isNotEqualTo(Optional.of(SECRET_ANSWER));
        assertThat(stored(store).request()).contains(SECRET_ANSWER);
        assertThat(stored(store).carried()).contains(SECRET_ANSWER);
    }

    @Test
    void afterARotationTheFormerKeyStillReadsAndTheCurrentOneWrites() {
        complete(EncryptingStore.around(inner, EncryptionKeyRing.of("old", secret(1))), SECRET_ANSWER);

        var rotated = EncryptingStore.around(
                inner, EncryptionKeyRing.of("new", secret(2)).and("old", secret(1)));
        assertThat(stored(rotated).outcome()).contains(SECRET_ANSWER);
        assertThat(text(stored(inner))).contains("old");
    }

    @Test
    void aMissingKeyIsNamedAndNothingIsAnswered() {
        complete(EncryptingStore.around(inner, EncryptionKeyRing.of("old", secret(1))), SECRET_ANSWER);

        var without = EncryptingStore.around(inner, EncryptionKeyRing.of("new", secret(2)));
        assertThatThrownBy(() -> stored(without))
                .isInstanceOf(RowRejectedException.class)
                .hasMessageContaining("'old'");
    }

    @Test
    void anotherSecretUnderTheSameIdDoesNotDecrypt() {
        complete(EncryptingStore.around(inner, EncryptionKeyRing.of("a", secret(1))), SECRET_ANSWER);

        assertThatThrownBy(() -> stored(EncryptingStore.around(inner, EncryptionKeyRing.of("a", secret(2)))))
                .isInstanceOf(RowRejectedException.class)
                .hasMessageContaining("does not decrypt");
    }

    @Test
    void everyChangedByteIsNoticed() {
        var cipher = new PayloadCipher(EncryptionKeyRing.of("a", secret(1)));
        byte[] sealed = cipher.encrypt(SECRET_ANSWER, IDENTITY.hash(), PayloadCipher.PayloadKind.OUTCOME)
                .bytes();
        for (int i = 0; i < sealed.length; i++) {
            byte[] changed = sealed.clone();
            changed[i] ^= 1;
            assertThatThrownBy(() ->
                            cipher.decrypt(Payload.of(changed), IDENTITY.hash(), PayloadCipher.PayloadKind.OUTCOME))
                    .as("byte %d", i)
                    .isInstanceOf(RowRejectedException.class);
        }
        for (int length = 0; length < sealed.length; length++) {
            byte[] cut = Arrays.copyOf(sealed, length);
            assertThatThrownBy(
                            () -> cipher.decrypt(Payload.of(cut), IDENTITY.hash(), PayloadCipher.PayloadKind.OUTCOME))
                    .as("cut at %d", length)
                    .isInstanceOf(RowRejectedException.class);
        }
    }

    @Test
    void aPayloadMovedToAnotherRecordOrColumnDoesNotDecrypt() {
        var cipher = new PayloadCipher(EncryptionKeyRing.of("a", secret(1)));
        var sealed = cipher.encrypt(SECRET_ANSWER, IDENTITY.hash(), PayloadCipher.PayloadKind.OUTCOME);
        var elsewhere = new ScopedKey("tenant", "payments", "key-2").hash();

        assertThatThrownBy(() -> cipher.decrypt(sealed, elsewhere, PayloadCipher.PayloadKind.OUTCOME))
                .isInstanceOf(RowRejectedException.class);
        assertThatThrownBy(() -> cipher.decrypt(sealed, IDENTITY.hash(), PayloadCipher.PayloadKind.REQUEST))
                .isInstanceOf(RowRejectedException.class);
    }

    @Test
    void theSameWriteSentAgainAfterALostReplyIsTheSameBytesAndCountsAsWritten() {
        var store = EncryptingStore.around(inner, EncryptionKeyRing.of("a", secret(1)));
        var write = new RecordWrite.Complete(
                claim(store, Optional.empty()).claim(), Optional.of(SECRET_ANSWER), Optional.empty());

        assertThat(store.write(List.of(write))).containsExactly(new WriteResponse.Written());
        assertThat(store.write(List.of(write))).containsExactly(new WriteResponse.Written());
    }

    /** A record that does not decrypt is in nobody else's way. */
    @Test
    void aRecordThatDoesNotDecryptFailsAloneInABatch() {
        complete(EncryptingStore.around(inner, EncryptionKeyRing.of("old", secret(1))), SECRET_ANSWER);
        var without = EncryptingStore.around(inner, EncryptionKeyRing.of("new", secret(2)));
        var readable = ClaimRequest.of(
                new ScopedKey("tenant", "payments", "key-2"),
                Fingerprint.stored("v1", new byte[32]),
                UUID.randomUUID(),
                Duration.ofSeconds(30),
                LeaseExpiryPolicy.RESUME,
                Retention.FOREVER);
        var unreadable = ClaimRequest.of(
                IDENTITY,
                readable.fingerprint(),
                UUID.randomUUID(),
                Duration.ofSeconds(30),
                LeaseExpiryPolicy.RESUME,
                Retention.FOREVER);

        assertThat(without.claim(List.of(unreadable)))
                .singleElement()
                .isInstanceOfSatisfying(
                        ClaimResponse.Failed.class,
                        failed -> assertThat(failed.failure()).hasMessageContaining("'old'"));
        assertThat(without.claim(List.of(readable, unreadable)))
                .hasExactlyElementsOfTypes(ClaimResponse.Acquired.class, ClaimResponse.Failed.class);
    }

    /** It could show payloads as they are stored. */
    @Test
    void anAbilityThatIsNotKnownHereIsLeftOut() {
        var store = EncryptingStore.around(inner, EncryptionKeyRing.of("a", secret(1)));

        assertThat(inner.ability(AutoCloseable.class)).isPresent();
        assertThat(store.ability(AutoCloseable.class)).isEmpty();
        assertThat(store.ability(Store.class)).isEmpty();
        assertThat(StoreAbility.of(store)).isEqualTo(StoreAbility.of(inner));
    }

    @Test
    void theLargestPayloadLeavesRoomForWhatEncryptionAdds() {
        var store = EncryptingStore.around(
                inner, EncryptionKeyRing.of("k".repeat(EncryptionKeyRing.LONGEST_ID), secret(1)));
        var plain = Payload.of(new byte[1_000]);
        var cipher = new PayloadCipher(EncryptionKeyRing.of("k".repeat(EncryptionKeyRing.LONGEST_ID), secret(1)));

        assertThat(inner.traits().limits().payloadBytes()
                        - store.traits().limits().payloadBytes())
                .isEqualTo(cipher.encrypt(plain, IDENTITY.hash(), PayloadCipher.PayloadKind.OUTCOME)
                                .size()
                        - plain.size());
    }

    @Test
    void equalAnswersOfDifferentRecordsAreStoredAsDifferentBytes() {
        var cipher = new PayloadCipher(EncryptionKeyRing.of("a", secret(1)));
        var other = new ScopedKey("tenant", "payments", "key-2").hash();

        assertThat(cipher.encrypt(SECRET_ANSWER, IDENTITY.hash(), PayloadCipher.PayloadKind.OUTCOME))
                .isNotEqualTo(cipher.encrypt(SECRET_ANSWER, other, PayloadCipher.PayloadKind.OUTCOME));
    }

    @Test
    void plainPayloadsOfBeforeAreReadOnlyWhereThatWasAskedFor() {
        complete(inner, SECRET_ANSWER);
        var ring = EncryptionKeyRing.of("a", secret(1));

        assertThatThrownBy(() -> stored(EncryptingStore.around(inner, ring)))
                .isInstanceOf(RowRejectedException.class)
                .hasMessageContaining("not encrypted");
        assertThat(stored(EncryptingStore.around(inner, ring.readingPlain())).outcome())
                .contains(SECRET_ANSWER);
    }

    @Test
    void aRingRefusesShortSecretsAndIdsUsedTwiceAndNeverPrintsASecret() {
        assertThatThrownBy(() -> EncryptionKeyRing.of("a", new byte[16])).hasMessageContaining("32 bytes");
        assertThatThrownBy(() -> EncryptionKeyRing.of("a", secret(1)).and("a", secret(2)))
                .hasMessageContaining("twice");
        assertThat(EncryptionKeyRing.of("a", secret(65)).toString())
                .doesNotContain("AAA")
                .contains("a");
    }

    private static void complete(Store store, Payload outcome) {
        var acquired = claim(store, Optional.empty());
        store.write(List.of(new RecordWrite.Complete(acquired.claim(), Optional.of(outcome), Optional.empty())));
    }

    private static StoredRecord claim(Store store, Optional<Payload> request) {
        var fingerprint = RequestFingerprinter.unkeyed().of(RequestContent.of("payments", "100"));
        var asked = ClaimRequest.of(
                        IDENTITY,
                        fingerprint,
                        UUID.randomUUID(),
                        Duration.ofSeconds(30),
                        LeaseExpiryPolicy.RESUME,
                        Retention.of(Duration.ofHours(24)))
                .withStoredRequest(request);
        return ((ClaimResponse.Acquired) store.claim(List.of(asked)).getFirst()).record();
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
