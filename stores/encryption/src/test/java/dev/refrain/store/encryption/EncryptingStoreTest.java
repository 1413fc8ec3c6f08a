package dev.refrain.store.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.LeasedOperation;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.RequestFingerprinter;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Payload;
import dev.refrain.api.RecoveryPoint;
import dev.refrain.api.RequestContent;
import dev.refrain.api.RequestMismatchException;
import dev.refrain.api.Retention;
import dev.refrain.api.ScopedKey;
import dev.refrain.api.UnreadableOutcomeException;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.Fingerprint;
import dev.refrain.store.KeptRequestReader;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.Store;
import dev.refrain.store.StoreAbility;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.memory.MemoryStore;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EncryptingStoreTest {

    private static final Payload SECRET_ANSWER = Payload.of("card 4242 charged".getBytes(StandardCharsets.UTF_8));
    private static final ScopedKey IDENTITY = new ScopedKey("tenant", "payments", "key-1");

    private final MemoryStore inner = new MemoryStore();

    @Test
    void storedPayloadDoesNotHoldThePlainBytesAndComesBackEqual() {
        var store = EncryptingStore.around(inner, EncryptionKeyRing.of("a", secret(1)));
        complete(store, SECRET_ANSWER);

        assertThat(new String(stored(inner).outcome().orElseThrow().bytes(), StandardCharsets.ISO_8859_1))
                .doesNotContain("4242");
        assertThat(stored(store).outcome()).contains(SECRET_ANSWER);
    }

    @Test
    void storedRequestAndTheCarriedStateAreEncryptedToo() {
        var store = EncryptingStore.around(inner, EncryptionKeyRing.of("a", secret(1)));
        var acquired = claim(store, Optional.of(SECRET_ANSWER));
        store.write(List.of(new RecordWrite.Checkpoint(
                acquired.claim(),
                RecoveryPoint.reached("charged"),
                Optional.of(SECRET_ANSWER),
                Optional.of(Duration.ofSeconds(30)))));

        assertThat(stored(inner).request()).isPresent().isNotEqualTo(Optional.of(SECRET_ANSWER));
        assertThat(stored(inner).carried()).isPresent().isNotEqualTo(Optional.of(SECRET_ANSWER));
        assertThat(stored(store).request()).contains(SECRET_ANSWER);
        assertThat(stored(store).carried()).contains(SECRET_ANSWER);
    }

    @Test
    void keptRequestIsEncryptedTooAndBoundToItsRecord() {
        var store = EncryptingStore.around(inner, EncryptionKeyRing.of("a", secret(1)));

        assertNotKeptInTheClear(store);

        assertThat(store.traits().encrypted()).isTrue();
        assertThat(inner.traits().encrypted()).isFalse();
        var other = new ScopedKey("tenant", "payments", "key-2");
        inner.claim(List.of(
                ask(other).withKeptRequest(inner.readKeptRequest(IDENTITY).orElse(null))));
        assertThatThrownBy(() -> keptBy(store, other)).isInstanceOf(RowRejectedException.class);
    }

    /** The check above notices a decorator that forgets the kept request. */
    @Test
    void keptRequestInTheClearIsNoticed() {
        var forgetful = EncryptingStore.around(
                inner, EncryptionKeyRing.of("a", secret(1)).readingPlain());
        var flawed = (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (self, method, arguments) -> {
                    // Claims go to the inner store as they are.
                    return method.invoke(method.getName().equals("claim") ? inner : forgetful, arguments);
                });

        assertThatThrownBy(() -> assertNotKeptInTheClear(flawed)).isInstanceOf(AssertionError.class);
    }

    private void assertNotKeptInTheClear(Store store) {
        store.claim(List.of(ask(IDENTITY).withKeptRequest(SECRET_ANSWER)));
        assertThat(new String(inner.readKeptRequest(IDENTITY).orElseThrow().bytes(), StandardCharsets.ISO_8859_1))
                .doesNotContain("4242");
        assertThat(keptBy(store, IDENTITY)).contains(SECRET_ANSWER);
    }

    private static Optional<Payload> keptBy(Store store, ScopedKey identity) {
        return store.ability(KeptRequestReader.class).orElseThrow().readKeptRequest(identity);
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
    void missingKeyIsNamedAndNothingIsAnswered() {
        complete(EncryptingStore.around(inner, EncryptionKeyRing.of("old", secret(1))), SECRET_ANSWER);

        var without = EncryptingStore.around(inner, EncryptionKeyRing.of("new", secret(2)));
        assertUnreadable(without, "'old'");
    }

    @Test
    void instanceWithoutEncryptionSaysWhatItLacks() {
        var call = OperationCall.scope("tenant").key("key-1").request("10");
        Refrain.using(EncryptingStore.around(inner, EncryptionKeyRing.of("a", secret(1))))
                .operation("payments", String.class)
                .leased(LeaseExpiryPolicy.RESUME)
                .run(call, claim -> "paid");

        var plain = Refrain.using(inner).operation("payments", String.class).leased(LeaseExpiryPolicy.RESUME);
        assertThatThrownBy(() -> plain.run(call, claim -> "paid again"))
                .isInstanceOf(UnreadableOutcomeException.class)
                .hasMessageContaining("is encrypted")
                .hasMessageContaining("Configure encryption");
    }

    @Test
    void anotherSecretUnderTheSameIdDoesNotDecrypt() {
        complete(EncryptingStore.around(inner, EncryptionKeyRing.of("a", secret(1))), SECRET_ANSWER);

        assertUnreadable(EncryptingStore.around(inner, EncryptionKeyRing.of("a", secret(2))), "does not decrypt");
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
    void payloadMovedToAnotherRecordOrColumnDoesNotDecrypt() {
        var cipher = new PayloadCipher(EncryptionKeyRing.of("a", secret(1)));
        var sealed = cipher.encrypt(SECRET_ANSWER, IDENTITY.hash(), PayloadCipher.PayloadKind.OUTCOME);
        var elsewhere = new ScopedKey("tenant", "payments", "key-2").hash();

        assertThatThrownBy(() -> cipher.decrypt(sealed, elsewhere, PayloadCipher.PayloadKind.OUTCOME))
                .isInstanceOf(RowRejectedException.class);
        assertThatThrownBy(() -> cipher.decrypt(sealed, IDENTITY.hash(), PayloadCipher.PayloadKind.REQUEST))
                .isInstanceOf(RowRejectedException.class);
    }

    @Test
    void sameWriteSentAgainAfterALostReplyIsTheSameBytesAndCountsAsWritten() {
        var store = EncryptingStore.around(inner, EncryptionKeyRing.of("a", secret(1)));
        var write = new RecordWrite.Complete(
                claim(store, Optional.empty()).claim(), Optional.of(SECRET_ANSWER), Optional.empty());

        assertThat(store.write(List.of(write))).containsExactly(new RecordWriteResponse.Written());
        assertThat(store.write(List.of(write))).containsExactly(new RecordWriteResponse.Written());
    }

    /** A record that does not decrypt is in nobody else's way. */
    @Test
    void recordThatDoesNotDecryptFailsAloneInABatch() {
        claim(EncryptingStore.around(inner, EncryptionKeyRing.of("old", secret(1))), Optional.of(SECRET_ANSWER));
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

    /** First whether it is the same request, as for a record that can be read; then that it was completed, and never a second run. */
    @Test
    void completedRecordThatDoesNotDecryptIsComparedAndReportedAsUnreadable() {
        var call = OperationCall.scope("tenant").key("key-1");
        payments(EncryptingStore.around(inner, EncryptionKeyRing.of("old", secret(1))))
                .run(call.request("10"), claim -> "paid");

        var without = payments(EncryptingStore.around(inner, EncryptionKeyRing.of("new", secret(2))));
        assertThatThrownBy(() -> without.run(call.request("10"), claim -> "paid again"))
                .isInstanceOf(UnreadableOutcomeException.class)
                .hasMessageContaining("'old'");
        assertThatThrownBy(() -> without.run(call.request("11"), claim -> "paid again"))
                .isInstanceOf(RequestMismatchException.class);
    }

    private static LeasedOperation<String> payments(Store store) {
        return Refrain.using(store).operation("payments", String.class).leased(LeaseExpiryPolicy.RESUME);
    }

    private static void assertUnreadable(Store store, String why) {
        var outcome = stored(store).outcome().orElseThrow();
        assertThatThrownBy(outcome::bytes)
                .isInstanceOf(UnreadableOutcomeException.class)
                .hasMessageContaining(why);
    }

    /** It could show payloads as they are stored. */
    @Test
    void abilityThatIsNotKnownHereIsLeftOut() {
        var store = EncryptingStore.around(inner, EncryptionKeyRing.of("a", secret(1)));

        assertThat(inner.ability(AutoCloseable.class)).isPresent();
        assertThat(store.ability(AutoCloseable.class)).isEmpty();
        assertThat(store.ability(Store.class)).isEmpty();
        assertThat(StoreAbility.of(store)).isEqualTo(StoreAbility.of(inner));
    }

    @Test
    void largestPayloadLeavesRoomForWhatEncryptionAdds() {
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

        assertUnreadable(EncryptingStore.around(inner, ring), "not encrypted");
        assertThat(stored(EncryptingStore.around(inner, ring.readingPlain())).outcome())
                .contains(SECRET_ANSWER);
    }

    @Test
    void ringRefusesShortSecretsAndIdsUsedTwiceAndNeverPrintsASecret() {
        assertThatThrownBy(() -> EncryptionKeyRing.of("a", new byte[16])).hasMessageContaining("32 bytes");
        assertThatThrownBy(() -> EncryptionKeyRing.of("a", secret(1)).and("a", secret(2)))
                .hasMessageContaining("twice");
        assertThat(EncryptionKeyRing.of("a", secret(65)).toString())
                .doesNotContain("AAA")
                .contains("a");
    }

    /** Also where somebody swapped id and secret, or forgot the id. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SECRET",
                "SECRET=2026-11",
                "SECRET=abcd",
                "2026-11:SECRET",
                "2026-11=SECRET,SECRET=2026-05",
                "2026-11=xSECRET",
                "2026-11=SECRETSECRET"
            })
    void malformedRingIsRefusedWithoutShowingIt(String text) {
        String secret = Base64.getEncoder().encodeToString(secret(7));
        assertThatThrownBy(() -> EncryptionKeyRing.parse(text.replace("SECRET", secret)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Cannot read the encryption keys: entry ")
                .satisfies(refused -> assertThat(refused.getMessage()).doesNotContain(secret.substring(0, 8)));
    }

    private static void complete(Store store, Payload outcome) {
        var acquired = claim(store, Optional.empty());
        store.write(List.of(new RecordWrite.Complete(acquired.claim(), Optional.of(outcome), Optional.empty())));
    }

    private static StoredRecord claim(Store store, Optional<Payload> request) {
        var asked = ask(IDENTITY).withStoredRequest(request.orElse(null));
        return ((ClaimResponse.Acquired) store.claim(List.of(asked)).getFirst()).record();
    }

    private static ClaimRequest ask(ScopedKey identity) {
        return ClaimRequest.of(
                identity,
                RequestFingerprinter.unkeyed().of(RequestContent.of("payments", "100")),
                UUID.randomUUID(),
                Duration.ofSeconds(30),
                LeaseExpiryPolicy.RESUME,
                Retention.of(Duration.ofHours(24)));
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
