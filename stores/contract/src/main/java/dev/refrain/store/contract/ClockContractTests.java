package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.LEASE;
import static dev.refrain.store.contract.StoreTestData.RETENTION;
import static dev.refrain.store.contract.StoreTestData.identity;
import static dev.refrain.store.contract.StoreTestData.payload;
import static dev.refrain.store.contract.StoreTestData.resumableRequest;
import static dev.refrain.store.contract.StoreTestData.retryOf;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of a store's clock that is set back after it was looked at: a call is sent again only if it is young enough, so ages may be overstated,
 * and never understated. Skipped on a store without a clock.
 */
interface ClockContractTests extends StoreContractPart {

    Duration AHEAD = Duration.ofHours(3);
    Duration LATER = AHEAD.plusMinutes(10);
    Duration BETWEEN_SWEEPS = Duration.ofSeconds(30);

    private void claimAhead() {
        client().letClockBeAhead(AHEAD, () -> {
            client().expectAcquired(resumableRequest("key-1"));
            sweep();
        });
    }

    private void sweep() {
        client().store().sweep(Duration.ofDays(1), 10);
    }

    private Duration age() {
        return client().store().explain(identity("key-1")).orElseThrow().age();
    }

    @Test
    default void recordIsNoYoungerThanItIsAfterAClockWasAhead() {
        claimAhead();
        sweep();
        client().advanceTime(LATER);

        assertThat(age()).isGreaterThanOrEqualTo(LATER);
    }

    @Test
    default void recordIsNoYoungerThanItIsBeforeAnybodyNotedThatTheClockWasSetBack() {
        claimAhead();
        client().advanceTime(BETWEEN_SWEEPS);

        assertThat(age()).isGreaterThanOrEqualTo(BETWEEN_SWEEPS);
    }

    /** By what is left of its life a flow measures how long ago a call was announced. */
    @Test
    default void claimTakenOverAfterAClockWasAheadHasNoMoreLifeThanItHas() {
        claimAhead();
        sweep();
        client().advanceTime(LATER);

        var taken = client().expectAcquired(resumableRequest("key-1"));

        assertThat(taken.fence()).isEqualTo(2);
        assertThat(taken.remainingLife().orElseThrow()).isLessThanOrEqualTo(RETENTION.minus(LATER));
    }

    /** A client retries at once, and no worker has looked at the clock since it was set back. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    default void releasedClaimTakenOverBeforeAnybodyNotedThatTheClockWasSetBackHasNoMoreLifeThanItHas(boolean isFlow) {
        var request = isFlow
                ? resumableRequest("key-1").withStoredRequest(payload("the request"))
                : resumableRequest("key-1");
        client().letClockBeAhead(AHEAD, () -> {
            client().claimAndRelease(request);
            sweep();
        });

        var taken = client().expectAcquired(retryOf(request));

        assertThat(taken.fence()).isEqualTo(2);
        assertThat(taken.remainingLife().orElseThrow()).isLessThanOrEqualTo(RETENTION);
    }

    @Test
    default void clockSetBackTwiceCountsTwice() {
        claimAhead();
        sweep();
        client().letClockBeAhead(AHEAD, this::sweep);
        sweep();
        client().advanceTime(AHEAD.plus(LATER));

        assertThat(age()).isGreaterThanOrEqualTo(AHEAD.plus(LATER));
    }

    @Test
    default void recordMadeAfterTheClockHasPassedThatMomentAgainHasItsAge() {
        client().letClockBeAhead(AHEAD, this::sweep);
        sweep();
        client().advanceTime(LATER);
        client().expectAcquired(resumableRequest("key-1"));
        client().advanceTime(LEASE);

        assertThat(age()).isBetween(LEASE, LEASE.plus(StoreTestData.SLACK));
    }

    /** Expiry stays with the clock: what is settled lives no shorter for that. */
    @Test
    default void outcomeIsKeptForItsRetentionAfterAClockWasAhead() {
        client().claimAndComplete(resumableRequest("key-1"), "the outcome");
        client().letClockBeAhead(AHEAD, this::sweep);
        sweep();
        client().advanceTime(RETENTION.minus(StoreTestData.SLACK));

        assertThat(client().expectFound(resumableRequest("key-1")).outcome()).isPresent();
    }
}
