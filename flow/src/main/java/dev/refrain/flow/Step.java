package dev.refrain.flow;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** What is done at one point of a flow. */
sealed interface Step<R, C> {

    String point();

    /** The points it may lead to. */
    Set<String> successors();

    /** What follows if it fails; empty if that ends the run. */
    Optional<Rescue<R, C>> rescue();

    Step<R, C> withFailurePolicy(Rescue<R, C> rescue);

    /** Writes of our own, in one transaction. */
    record Local<R, C>(String point, Set<String> successors, Flow.Phase<R, C> phase, Optional<Rescue<R, C>> rescue)
            implements Step<R, C> {

        @Override
        public Step<R, C> withFailurePolicy(Rescue<R, C> by) {
            return new Local<>(point, successors, phase, Optional.of(by));
        }
    }

    /** A call of another system; what it answers is recorded by one transaction. */
    record Foreign<R, C, A>(
            String point,
            Set<String> successors,
            Downstream<R, A> downstream,
            Duration within,
            Flow.Send<R, A> send,
            Flow.Take<R, C, A> take,
            Optional<Seen<R, A>> seen,
            Optional<Rescue<R, C>> rescue)
            implements Step<R, C> {

        /** A call of a blind system is announced just before it is sent; the others may be announced by the phase before. */
        boolean announcedAhead() {
            return !(downstream instanceof Downstream.Blind);
        }

        @Override
        public Step<R, C> withFailurePolicy(Rescue<R, C> by) {
            return new Foreign<>(point, successors, downstream, within, send, take, seen, Optional.of(by));
        }
    }
}
