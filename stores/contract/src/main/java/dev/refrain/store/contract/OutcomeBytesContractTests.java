package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.LEASE;
import static dev.refrain.store.contract.StoreTestData.heldRequest;
import static dev.refrain.store.contract.StoreTestData.payload;
import static dev.refrain.store.contract.StoreTestData.resumableRequest;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.Payload;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.Resolution;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every replay is byte-identical, binary and empty ones included. */
interface OutcomeBytesContractTests extends StoreContractPart {

    /** Bytes that some store somewhere has ruined. */
    enum SampleBytes {
        EMPTY,
        ONE_ZERO,
        ALL_256_VALUES,
        ENDING_IN_ZEROS,
        NOT_UTF_8,
        TEXT_WITH_LINE_ENDS,
        ONE_MEBIBYTE;

        Payload payload() {
            return Payload.of(
                    switch (this) {
                        case EMPTY -> new byte[0];
                        case ONE_ZERO -> new byte[1];
                        case ALL_256_VALUES -> everyByte();
                        case ENDING_IN_ZEROS -> new byte[] {1, 2, 3, 0, 0, 0};
                        case NOT_UTF_8 -> new byte[] {(byte) 0xC3, 0x28, (byte) 0xF0, (byte) 0x9F, (byte) 0xFF};
                        case TEXT_WITH_LINE_ENDS -> " a\r\nb\nc\rd\\x00 '\"%s ".getBytes(StandardCharsets.UTF_8);
                        case ONE_MEBIBYTE -> random(1024 * 1024);
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

    /** Elsewhere: bodies decoded as text ruin binary answers; an empty body (204) reads as nothing stored and runs again. */
    @ParameterizedTest
    @EnumSource(SampleBytes.class)
    default void anOutcomeComesBackByteForByteOnEveryWayToIt(SampleBytes bytes) {
        var stalled = client().expectAcquired(resumableRequest("key-1")).claim();
        client().advanceTime(LEASE);
        var claim = client().expectAcquired(resumableRequest("key-1")).claim();
        client().expectWritten(new RecordWrite.Complete(claim, Optional.of(bytes.payload()), Optional.empty()));

        for (int i = 0; i < 2; i++) {
            assertThat(client().expectPresent("key-1").outcome()).contains(bytes.payload());
            var replay = client().expectFound(resumableRequest("key-1"));
            assertThat(replay.state()).isEqualTo(RecordState.COMPLETED);
            assertThat(replay.outcome()).contains(bytes.payload());
            assertThat(client().expectRefused(new RecordWrite.Release(stalled))
                            .orElseThrow()
                            .outcome())
                    .contains(bytes.payload());
        }
    }

    @ParameterizedTest
    @EnumSource(SampleBytes.class)
    default void aStoredRequestAndWhatIsCarriedComeBackByteForByte(SampleBytes bytes) {
        var claim = client().expectAcquired(resumableRequest("key-1").withStoredRequest(Optional.of(bytes.payload())))
                .claim();
        client().expectWritten(
                        new RecordWrite.Checkpoint(claim, "charged", Optional.of(bytes.payload()), Optional.of(LEASE)));
        client().advanceTime(LEASE);

        var taken = client().expectAcquired(resumableRequest("key-1"));

        assertThat(taken.request()).contains(bytes.payload());
        assertThat(taken.carried()).contains(bytes.payload());
    }

    @ParameterizedTest
    @EnumSource(SampleBytes.class)
    default void aResolvedOutcomeComesBackByteForByte(SampleBytes bytes) {
        var held = client().claimAndEscalate(heldRequest("key-1"), "the connection broke");

        client().resolve(held.claim(), new Resolution.Done(Optional.of(bytes.payload())));

        assertThat(client().expectFound(heldRequest("key-1")).outcome()).contains(bytes.payload());
    }

    /** Elsewhere: a state without an answer, or an empty answer, counts as not done. */
    @Test
    default void theStateAloneIsNotAnEmptyOutcome() {
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
    default void anEmptyRequestOrCarriedStateIsNotAMissingOne() {
        var with = client().expectAcquired(resumableRequest("key-1").withStoredRequest(Optional.of(payload(""))));
        var without = client().expectAcquired(resumableRequest("key-2"));
        client().expectWritten(new RecordWrite.Checkpoint(
                with.claim(), "charged", Optional.of(payload("")), Optional.of(LEASE)));
        client().expectWritten(
                        new RecordWrite.Checkpoint(without.claim(), "charged", Optional.empty(), Optional.of(LEASE)));

        assertThat(client().expectPresent("key-1").request()).contains(payload(""));
        assertThat(client().expectPresent("key-1").carried()).contains(payload(""));
        assertThat(client().expectPresent("key-2").request()).isEmpty();
        assertThat(client().expectPresent("key-2").carried()).isEmpty();
    }
}
