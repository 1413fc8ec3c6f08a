package dev.refrain.flow;

import dev.refrain.api.Downstream;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Declared phase of a flow, by its point. */
sealed interface PhaseDefinition<R, T, C> {

    String point();

    /** Returns the points that it may lead to. */
    Set<String> successors();

    /** Returns the policy for failures; without one a failure ends the run. */
    Optional<PhaseFailurePolicy<R, T, C>> failurePolicy();

    PhaseDefinition<R, T, C> withFailurePolicy(PhaseFailurePolicy<R, T, C> failurePolicy);

    /** Phase with writes of the application, in one transaction. */
    record LocalPhase<R, T, C>(
            String point,
            Set<String> successors,
            Flow.TransactionPhase<R, T, C> phase,
            Optional<PhaseFailurePolicy<R, T, C>> failurePolicy)
            implements PhaseDefinition<R, T, C> {

        @Override
        public PhaseDefinition<R, T, C> withFailurePolicy(PhaseFailurePolicy<R, T, C> by) {
            return new LocalPhase<>(point, successors, phase, Optional.of(by));
        }
    }

    /** Phase with a call of another system, whose answer is recorded by one transaction. */
    record ForeignCallPhase<R, T, C, A>(
            String point,
            Set<String> successors,
            Downstream<ForeignCall<R>, A> downstream,
            Duration timeout,
            Flow.CallSender<R, A> send,
            Flow.ResultPhase<R, T, C, A> resultPhase,
            Optional<LedgerEntryMapping<R, A>> ledgerMapping,
            Optional<PhaseFailurePolicy<R, T, C>> failurePolicy)
            implements PhaseDefinition<R, T, C> {

        /** Returns whether the phase before may announce the call. Calls that cannot be retried are announced just before they are sent. */
        boolean announcedAhead() {
            return !(downstream instanceof Downstream.NotRetryable);
        }

        @Override
        public PhaseDefinition<R, T, C> withFailurePolicy(PhaseFailurePolicy<R, T, C> by) {
            return new ForeignCallPhase<>(
                    point, successors, downstream, timeout, send, resultPhase, ledgerMapping, Optional.of(by));
        }
    }
}
