package dev.refrain.flow;

import dev.refrain.api.OutcomeHeader;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a phase leads. */
public sealed interface PhaseResult {

    /** To a point of the flow, with what is needed there. */
    record NextPoint(String point, @Nullable Object carried) implements PhaseResult {}

    /** To the end: this is the outcome, whatever its status says, and a retry is given the same. */
    record Finish(
            int status,
            List<OutcomeHeader> headers,
            @Nullable Object body) implements PhaseResult {}

    /** Nothing of this phase is kept, and it is tried again after a while. */
    record RetryLater(String why, Duration pause) implements PhaseResult {}

    static PhaseResult goTo(String point) {
        return new NextPoint(point, null);
    }

    /** @param carried stored with the point, by the codec, until the flow has ended */
    static PhaseResult goTo(String point, Object carried) {
        return new NextPoint(point, carried);
    }

    /** @param body bytes, text or a value for the codec */
    static PhaseResult finish(int status, @Nullable Object body) {
        return finish(status, List.of(), body);
    }

    static PhaseResult finish(int status, List<OutcomeHeader> headers, @Nullable Object body) {
        return new Finish(status, headers, body);
    }

    /** For good: a card that is declined is an outcome. What the phase wrote stands. */
    static PhaseResult fail(int status, @Nullable Object body) {
        if (status < 400) {
            throw new IllegalArgumentException("A failure has a status of 400 or more, not " + status + ".");
        }
        return finish(status, List.of(), body);
    }

    static PhaseResult retryAfter(Duration pause, String why) {
        return new RetryLater(why, pause);
    }
}
