package dev.refrain.internal.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.RequestFingerprinter;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import dev.refrain.api.RecordId;
import dev.refrain.api.RequestContent;
import dev.refrain.api.ScopedKey;
import dev.refrain.api.UnknownFingerprintRecipeException;
import dev.refrain.api.UnreadableOutcomeException;
import dev.refrain.store.Fingerprint;
import dev.refrain.store.OutcomeFormat;
import dev.refrain.store.RecordState;
import dev.refrain.store.StoredRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ClaimRulesTest {

    private static final ScopedKey IDENTITY = new ScopedKey("acme", "pay", "k");
    private static final RequestContent ONE_EURO =
            RequestContent.json("pay", "{\"eur\":1}".getBytes(StandardCharsets.UTF_8));
    private static final RequestContent TWO_EUROS =
            RequestContent.json("pay", "{\"eur\":2}".getBytes(StandardCharsets.UTF_8));
    private static final RequestFingerprinter PLAIN = RequestFingerprinter.unkeyed();
    private static final RequestFingerprinter KEYED =
            RequestFingerprinter.builder().secret("s1", new byte[32]).build();
    private static final Payload PAID = OutcomeFormat.encode(Outcome.Answer.of(201, new byte[] {1, 2, 3}));

    private static StoredRecord record(RecordState state, Optional<Fingerprint> fingerprint, Duration leaseLeft) {
        return new StoredRecord(
                IDENTITY.hash(),
                new RecordId(new UUID(1, 2)),
                3,
                new UUID(4, 5),
                state,
                LeaseExpiryPolicy.RESUME,
                fingerprint,
                Optional.empty(),
                leaseLeft,
                Optional.of(Duration.ofHours(1)),
                state == RecordState.COMPLETED ? Optional.of(PAID) : Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private static StoredRecord record(RecordState state, RequestFingerprinter made) {
        return record(state, Optional.of(made.of(ONE_EURO)), Duration.ofSeconds(10));
    }

    @ParameterizedTest
    @EnumSource(RecordState.class)
    void anotherRequestIsAMismatchFirstOfAllAndInEveryState(RecordState state) {
        var ask = TestCalls.fingerprinted(IDENTITY, TWO_EUROS, PLAIN);

        assertThat(ClaimRules.verdict(ask, record(state, PLAIN)))
                .contains(new ClaimVerdict.Mismatch(new RecordId(new UUID(1, 2))));
        assertThat(ClaimRules.verdict(ask, record(state, Optional.of(PLAIN.of(ONE_EURO)), Duration.ofSeconds(-1))))
                .as("also when its lease is over")
                .containsInstanceOf(ClaimVerdict.Mismatch.class);
    }

    @ParameterizedTest
    @EnumSource(RecordState.class)
    void requestIsComparedTheWayTheRecordWasMade(RecordState state) {
        var ask = TestCalls.fingerprinted(IDENTITY, ONE_EURO, KEYED);
        var other = TestCalls.fingerprinted(IDENTITY, TWO_EUROS, KEYED);
        var madeWithoutSecret = record(state, PLAIN);

        assertThat(ClaimRules.verdict(ask, madeWithoutSecret))
                .isNotEqualTo(ClaimRules.verdict(other, madeWithoutSecret));
        assertThat(ClaimRules.verdict(ask, madeWithoutSecret).filter(ClaimVerdict.Mismatch.class::isInstance))
                .isEmpty();
        assertThat(ClaimRules.verdict(other, madeWithoutSecret)).containsInstanceOf(ClaimVerdict.Mismatch.class);
    }

    @Test
    void recordThatCannotBeComparedIsNeitherReplayedNorRun() {
        var ask = TestCalls.fingerprinted(IDENTITY, ONE_EURO, PLAIN);

        assertThatThrownBy(() -> ClaimRules.verdict(ask, record(RecordState.COMPLETED, KEYED)))
                .isInstanceOf(UnknownFingerprintRecipeException.class);
    }

    @Test
    void sameRequestIsAnsweredFromTheRecord() {
        var ask = TestCalls.fingerprinted(IDENTITY, ONE_EURO, PLAIN);

        assertThat(ClaimRules.verdict(ask, record(RecordState.COMPLETED, PLAIN)))
                .containsInstanceOf(ClaimVerdict.Replay.class)
                .get()
                .extracting(r -> ((ClaimVerdict.Replay) r).outcome())
                .isEqualTo(Outcome.Answer.of(201, new byte[] {1, 2, 3}));
        assertThat(ClaimRules.verdict(ask, record(RecordState.ATTENTION, PLAIN)))
                .containsInstanceOf(ClaimVerdict.Attention.class);
        assertThat(ClaimRules.verdict(ask, record(RecordState.IN_PROGRESS, PLAIN)))
                .containsInstanceOf(ClaimVerdict.InProgress.class);
        assertThat(ClaimRules.verdict(ask, record(RecordState.RELEASED, PLAIN)))
                .as("ask the store again")
                .isEmpty();
    }

    @Test
    void claimWhoseLeaseIsOverIsThereToBeClaimed() {
        var ask = TestCalls.fingerprinted(IDENTITY, ONE_EURO, PLAIN);
        var abandoned = record(RecordState.IN_PROGRESS, Optional.of(PLAIN.of(ONE_EURO)), Duration.ZERO);

        assertThat(ClaimRules.verdict(ask, abandoned)).isEmpty();
    }

    @Test
    void erasedOutcomeIsDoneForWhoeverAsks() {
        var erased =
                record(RecordState.COMPLETED, Optional.empty(), Duration.ZERO).withPayloads(null, null, null);

        for (var request : new RequestContent[] {ONE_EURO, TWO_EUROS}) {
            assertThat(ClaimRules.verdict(TestCalls.fingerprinted(IDENTITY, request, PLAIN), erased))
                    .get()
                    .extracting(r -> ((ClaimVerdict.Replay) r).outcome())
                    .isEqualTo(new Outcome.StateOnly());
        }
    }

    @Test
    void outcomeThatCannotBeReadIsNotRunAgain() {
        var damaged = record(RecordState.COMPLETED, PLAIN).withPayloads(Payload.of(new byte[] {9}), null, null);

        assertThatThrownBy(() -> ClaimRules.verdict(TestCalls.fingerprinted(IDENTITY, ONE_EURO, PLAIN), damaged))
                .isInstanceOf(UnreadableOutcomeException.class);
    }
}
