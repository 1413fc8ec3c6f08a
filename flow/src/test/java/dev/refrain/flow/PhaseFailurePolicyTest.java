package dev.refrain.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.UnreadableOutcomeException;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import org.junit.jupiter.api.Test;

/** What is not a phase's own failure leads to no other phase, and undoes nothing. */
class PhaseFailurePolicyTest {

    /** The job or operation that a phase waits for is done; a ring without its key must not have it compensated. */
    @Test
    void resultThatCannotBeReadHereEndsTheRunAndIsNoFailureOfThePhase() {
        assertThat(PhaseFailurePolicy.endsRun(new UnreadableOutcomeException("The key ring lacks '2026-05'.")))
                .isTrue();
    }

    @Test
    void storeThatIsAwayEndsTheRunAndRejectedWorkDoesNot() {
        assertThat(PhaseFailurePolicy.endsRun(StoreException.unavailable("away", Effect.NONE, null)))
                .isTrue();
        assertThat(PhaseFailurePolicy.endsRun(RowRejectedException.badData("a check", null)))
                .isFalse();
        assertThat(PhaseFailurePolicy.endsRun(new IllegalStateException("its own")))
                .isFalse();
    }
}
