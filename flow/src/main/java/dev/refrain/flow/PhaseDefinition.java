package dev.refrain.flow;

import dev.refrain.api.Downstream;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** What is done at one point of a flow. */
sealed interface PhaseDefinition<R, C> {

    String point();

    /** The points it may lead to. */
    Set<String> successors();

    /** What follows if it fails; empty if that ends the run. */
    Optional<PhaseFailurePolicy<R, C>> rescue();

    PhaseDefinition<R, C> withFailurePolicy(PhaseFailurePolicy<R, C> rescue);

    /** Writes of our own, in one transaction. */
    record LocalPhase<R, C>(
            String point, Set<String> successors, Flow.Phase<R, C> phase, Optional<PhaseFailurePolicy<R, C>> rescue)
            implements PhaseDefinition<R, C> {

        @Override
        public PhaseDefinition<R, C> withFailurePolicy(PhaseFailurePolicy<R, C> by) {
            return new LocalPhase<>(point, successors, phase, Optional.of(by));
        }
    }

    /** A call of another system; what it answers is recorded by one transaction. */
    record ForeignCallPhase<R, C, A>(
            String point,
            Set<String> successors,
            Downstream<ForeignCall<R>, A> downstream,
            Duration within,
            Flow.CallSender<R, A> send,
            Flow.ResultPhase<R, C, A> take,
            Optional<LedgerMapping<R, A>> seen,
            Optional<PhaseFailurePolicy<R, C>> rescue)
            implements PhaseDefinition<R, C> {

        /** A call of a blind system is announced just before it is sent; the others may be announced by the phase before. */
        boolean announcedAhead() {
            return !(downstream instanceof Downstream.NotRetryable);
        }

        @Override
        public PhaseDefinition<R, C> withFailurePolicy(PhaseFailurePolicy<R, C> by) {
            return new ForeignCallPhase<>(point, successors, downstream, within, send, take, seen, Optional.of(by));
        }
    }
}
