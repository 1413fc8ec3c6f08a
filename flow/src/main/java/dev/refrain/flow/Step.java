package dev.refrain.flow;

import java.time.Duration;
import java.util.Set;

/** What is done at one point of a flow. */
sealed interface Step<R, C> {

    String point();

    /** The points it may lead to. */
    Set<String> leadsTo();

    /** Writes of our own, in one transaction. */
    record Local<R, C>(String point, Set<String> leadsTo, Flow.Phase<R, C> phase) implements Step<R, C> {}

    /** A call of another system; what it answers is recorded by one transaction. */
    record Foreign<R, C, A>(
            String point,
            Set<String> leadsTo,
            Downstream<R, A> downstream,
            Duration within,
            Flow.Send<R, A> send,
            Flow.Take<R, C, A> take)
            implements Step<R, C> {

        /** A call of a blind system is announced just before it is sent; the others may be announced by the phase before. */
        boolean announcedAhead() {
            return !(downstream instanceof Downstream.Blind);
        }
    }
}
