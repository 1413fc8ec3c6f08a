package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.LEASE;
import static dev.refrain.store.contract.StoreTestData.heldRequest;
import static dev.refrain.store.contract.StoreTestData.payload;
import static dev.refrain.store.contract.StoreTestData.resumableRequest;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.Payload;
import dev.refrain.api.RecoveryPoint;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.Resolution;
import dev.refrain.store.StoreLimits;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that every replay is byte-identical, including binary and empty outcomes. */
interface OutcomeBytesContractTests extends StoreContractPart {

    /** Byte sequences that some store has corrupted before. */
    enum SampleBytes {
        EMPTY,
        ONE_ZERO,
        ALL_256_VALUES,
        ENDING_IN_ZEROS,
        NOT_UTF_8,
        TEXT_WITH_LINE_ENDS,
        LARGEST;

        /** The largest is what the store says it takes, up to the size of an outcome by default. */
        Payload payload(StoreLimits limits) {
            return Payload.of(
                    switch (this) {
                        case EMPTY -> new byte[0];
                        case ONE_ZERO -> new byte[1];
                        case ALL_256_VALUES -> everyByte();
                        case ENDING_IN_ZEROS -> new byte[] {1, 2, 3, 0, 0, 0};
                        case NOT_UTF_8 -> new byte[] {(byte) 0xC3, 0x28, (byte) 0xF0, (byte) 0x9F, (byte) 0xFF};
                        case TEXT_WITH_LINE_ENDS -> " a\r\nb\nc\rd\\x00 '\"%s ".getBytes(StandardCharsets.UTF_8);
                        case LARGEST -> random(Math.min(1 << 20, limits.payloadBytes()));
                    });
        }

        private static byte[] everyByte() {
            var bytes = new byte[256];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) i;
            }
            return bytes;
        }

        private static byte[] random(int size) {
            var bytes = new byte[size];
            new Random(1).nextBytes(bytes);
            return bytes;
        }
    }

    /**
     * Elsewhere: decoding bodies as text corrupts binary responses; an empty body (204) counts as nothing stored and runs again.
     */
    @ParameterizedTest
    @EnumSource(SampleBytes.class)
    default void outcomeComesBackByteForByteOnEveryWayToIt(SampleBytes bytes) {
        var payload = bytes.payload(client().store().traits().limits());
        var stalled = client().expectAcquired(resumableRequest("key-1")).claim();
        client().advanceTime(LEASE);
        var claim = client().expectAcquired(resumableRequest("key-1")).claim();
        client().expectWritten(new RecordWrite.Complete(claim, Optional.of(payload), Optional.empty()));

        for (int i = 0; i < 2; i++) {
            assertThat(client().expectPresent("key-1").outcome()).contains(payload);
            var replay = client().expectFound(resumableRequest("key-1"));
            assertThat(replay.state()).isEqualTo(RecordState.COMPLETED);
            assertThat(replay.outcome()).contains(payload);
            assertThat(client().expectRefused(new RecordWrite.Release(stalled))
                            .orElseThrow()
                            .outcome())
                    .contains(payload);
        }
    }

    @ParameterizedTest
    @EnumSource(SampleBytes.class)
    default void storedRequestAndWhatIsCarriedComeBackByteForByte(SampleBytes bytes) {
        var payload = bytes.payload(client().store().traits().limits());
        var claim = client().expectAcquired(resumableRequest("key-1").withStoredRequest(payload))
                .claim();
        client().expectWritten(new RecordWrite.Checkpoint(
                claim, RecoveryPoint.reached("charged"), Optional.of(payload), Optional.of(LEASE)));
        client().advanceTime(LEASE);

        var taken = client().expectAcquired(resumableRequest("key-1"));

        assertThat(taken.request()).contains(payload);
        assertThat(taken.carried()).contains(payload);
    }

    @ParameterizedTest
    @EnumSource(SampleBytes.class)
    default void resolvedOutcomeComesBackByteForByte(SampleBytes bytes) {
        var payload = bytes.payload(client().store().traits().limits());
        var held = client().claimAndEscalate(heldRequest("key-1"), "the connection broke");

        client().resolve(held.claim(), new Resolution.Done(payload));

        assertThat(client().expectFound(heldRequest("key-1")).outcome()).contains(payload);
    }

    /** Elsewhere: a state without an outcome, or an empty outcome, counts as not done. */
    @Test
    default void stateAloneIsNotAnEmptyOutcome() {
        var stateOnly = client().expectAcquired(resumableRequest("key-1")).claim();
        var empty = client().expectAcquired(resumableRequest("key-2")).claim();

        client().expectWritten(new RecordWrite.Complete(stateOnly, Optional.empty(), Optional.empty()));
        client().expectWritten(new RecordWrite.Complete(empty, Optional.of(payload("")), Optional.empty()));

        assertThat(client().expectFound(resumableRequest("key-1")).state()).isEqualTo(RecordState.COMPLETED);
        assertThat(client().expectFound(resumableRequest("key-1")).outcome()).isEmpty();
        assertThat(client().expectFound(resumableRequest("key-2")).state()).isEqualTo(RecordState.COMPLETED);
        assertThat(client().expectFound(resumableRequest("key-2")).outcome()).contains(payload(""));
    }

    @Test
    default void emptyRequestOrCarriedStateIsNotAMissingOne() {
        var with = client().expectAcquired(resumableRequest("key-1").withStoredRequest(payload("")));
        var without = client().expectAcquired(resumableRequest("key-2"));
        client().expectWritten(new RecordWrite.Checkpoint(
                with.claim(), RecoveryPoint.reached("charged"), Optional.of(payload("")), Optional.of(LEASE)));
        client().expectWritten(new RecordWrite.Checkpoint(
                without.claim(), RecoveryPoint.reached("charged"), Optional.empty(), Optional.of(LEASE)));

        assertThat(client().expectPresent("key-1").request()).contains(payload(""));
        assertThat(client().expectPresent("key-1").carried()).contains(payload(""));
        assertThat(client().expectPresent("key-2").request()).isEmpty();
        assertThat(client().expectPresent("key-2").carried()).isEmpty();
    }
}
