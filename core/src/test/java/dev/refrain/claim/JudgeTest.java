package dev.refrain.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.fingerprint.Fingerprint;
import dev.refrain.fingerprint.Fingerprinter;
import dev.refrain.fingerprint.Request;
import dev.refrain.fingerprint.UnknownRecipeException;
import dev.refrain.key.Identity;
import dev.refrain.key.RecordId;
import dev.refrain.outcome.Outcome;
import dev.refrain.outcome.OutcomeFormat;
import dev.refrain.outcome.Payload;
import dev.refrain.outcome.UnreadableOutcomeException;
import dev.refrain.store.State;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.TakeOver;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class JudgeTest {

    private static final Identity IDENTITY = new Identity("acme", "pay", "k");
    private static final Request ONE_EURO = Request.json("pay", "{\"eur\":1}".getBytes(StandardCharsets.UTF_8));
    private static final Request TWO_EUROS = Request.json("pay", "{\"eur\":2}".getBytes(StandardCharsets.UTF_8));
    private static final Fingerprinter PLAIN = Fingerprinter.unkeyed();
    private static final Fingerprinter KEYED =
            Fingerprinter.builder().secret("s1", new byte[32]).build();
    private static final Payload PAID = OutcomeFormat.encode(Outcome.Answer.of(201, new byte[] {1, 2, 3}));

    private static StoredRecord record(State state, Optional<Fingerprint> fingerprint, Duration leaseLeft) {
        return new StoredRecord(
                IDENTITY.hash(),
                new RecordId(new UUID(1, 2)),
                3,
                new UUID(4, 5),
                state,
                TakeOver.RESUME,
                fingerprint,
                Optional.empty(),
                leaseLeft,
                Optional.of(Duration.ofHours(1)),
                state == State.COMPLETED ? Optional.of(PAID) : Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private static StoredRecord record(State state, Fingerprinter made) {
        return record(state, Optional.of(made.of(ONE_EURO)), Duration.ofSeconds(10));
    }

    @ParameterizedTest
    @EnumSource(State.class)
    void another_request_is_a_mismatch_first_of_all_and_in_every_state(State state) {
        var ask = Ask.of(IDENTITY, TWO_EUROS, PLAIN);

        assertThat(Judge.verdict(ask, record(state, PLAIN)))
                .contains(new ClaimResult.Mismatch(new RecordId(new UUID(1, 2))));
        assertThat(Judge.verdict(ask, record(state, Optional.of(PLAIN.of(ONE_EURO)), Duration.ofSeconds(-1))))
                .as("also when its lease is over")
                .containsInstanceOf(ClaimResult.Mismatch.class);
    }

    @ParameterizedTest
    @EnumSource(State.class)
    void a_request_is_compared_the_way_the_record_was_made(State state) {
        var ask = Ask.of(IDENTITY, ONE_EURO, KEYED);
        var other = Ask.of(IDENTITY, TWO_EUROS, KEYED);
        var madeWithoutSecret = record(state, PLAIN);

        assertThat(Judge.verdict(ask, madeWithoutSecret)).isNotEqualTo(Judge.verdict(other, madeWithoutSecret));
        assertThat(Judge.verdict(ask, madeWithoutSecret).filter(ClaimResult.Mismatch.class::isInstance))
                .isEmpty();
        assertThat(Judge.verdict(other, madeWithoutSecret)).containsInstanceOf(ClaimResult.Mismatch.class);
    }

    @Test
    void a_record_that_cannot_be_compared_is_neither_replayed_nor_run() {
        var ask = Ask.of(IDENTITY, ONE_EURO, PLAIN);

        assertThatThrownBy(() -> Judge.verdict(ask, record(State.COMPLETED, KEYED)))
                .isInstanceOf(UnknownRecipeException.class);
    }

    @Test
    void the_same_request_is_told_what_the_record_says() {
        var ask = Ask.of(IDENTITY, ONE_EURO, PLAIN);

        assertThat(Judge.verdict(ask, record(State.COMPLETED, PLAIN)))
                .containsInstanceOf(ClaimResult.Replay.class)
                .get()
                .extracting(r -> ((ClaimResult.Replay) r).outcome())
                .isEqualTo(Outcome.Answer.of(201, new byte[] {1, 2, 3}));
        assertThat(Judge.verdict(ask, record(State.ATTENTION, PLAIN))).containsInstanceOf(ClaimResult.Attention.class);
        assertThat(Judge.verdict(ask, record(State.IN_PROGRESS, PLAIN))).containsInstanceOf(ClaimResult.InProgress.class);
        assertThat(Judge.verdict(ask, record(State.RELEASED, PLAIN)))
                .as("ask the store again")
                .isEmpty();
    }

    @Test
    void a_claim_whose_lease_is_over_is_there_to_be_claimed() {
        var ask = Ask.of(IDENTITY, ONE_EURO, PLAIN);
        var abandoned = record(State.IN_PROGRESS, Optional.of(PLAIN.of(ONE_EURO)), Duration.ZERO);

        assertThat(Judge.verdict(ask, abandoned)).isEmpty();
    }

    @Test
    void an_erased_outcome_is_done_for_whoever_asks() {
        var erased = record(State.COMPLETED, Optional.empty(), Duration.ZERO)
                .withPayloads(Optional.empty(), Optional.empty(), Optional.empty());

        for (var request : new Request[] {ONE_EURO, TWO_EUROS}) {
            assertThat(Judge.verdict(Ask.of(IDENTITY, request, PLAIN), erased))
                    .get()
                    .extracting(r -> ((ClaimResult.Replay) r).outcome())
                    .isEqualTo(new Outcome.StateOnly());
        }
    }

    @Test
    void an_outcome_that_cannot_be_read_is_not_run_again() {
        var damaged = record(State.COMPLETED, PLAIN)
                .withPayloads(Optional.of(Payload.of(new byte[] {9})), Optional.empty(), Optional.empty());

        assertThatThrownBy(() -> Judge.verdict(Ask.of(IDENTITY, ONE_EURO, PLAIN), damaged))
                .isInstanceOf(UnreadableOutcomeException.class);
    }
}
