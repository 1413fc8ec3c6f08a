package dev.refrain.flow;

import dev.refrain.outcome.Header;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a phase leads. */
public sealed interface Next {

    /** To a point of the flow, with what is needed there. */
    record To(String point, @Nullable Object carried) implements Next {}

    /** To the end: this is the outcome, whatever its status says, and a retry is given the same. */
    record End(int status, List<Header> headers, @Nullable Object body) implements Next {}

    /** Nothing of this phase is kept, and it is tried again after a while. */
    record Later(String why, Duration pause) implements Next {}

    static Next goTo(String point) {
        return new To(point, null);
    }

    /** @param carried stored with the point, by the codec, until the flow has ended */
    static Next goTo(String point, Object carried) {
        return new To(point, carried);
    }

    /** @param body bytes, text or a value for the codec */
    static Next finish(int status, @Nullable Object body) {
        return finish(status, List.of(), body);
    }

    static Next finish(int status, List<Header> headers, @Nullable Object body) {
        return new End(status, headers, body);
    }

    /** For good: a card that is declined is an outcome. What the phase wrote stands. */
    static Next fail(int status, @Nullable Object body) {
        if (status < 400) {
            throw new IllegalArgumentException("A failure has a status of 400 or more, not " + status + ".");
        }
        return finish(status, List.of(), body);
    }

    static Next retryAfter(Duration pause, String why) {
        return new Later(why, pause);
    }
}
