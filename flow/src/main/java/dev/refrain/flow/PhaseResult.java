package dev.refrain.flow;

import dev.refrain.api.AnswerHeader;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The decision of a phase: go to another point, finish the flow, or retry this phase later.
 *
 * @param <T> the result of the flow
 */
public sealed interface PhaseResult<T> {

    /**
     * Leads to another point of the flow.
     *
     * @param carried the value that the phase there needs, if any
     */
    record NextPoint<T>(String point, @Nullable Object carried) implements PhaseResult<T> {}

    /** Ends the flow with its outcome, which every retry is given: a result, or from status 400 on a failure. */
    record Finish<T>(
            int status,
            List<AnswerHeader> headers,
            @Nullable Object body) implements PhaseResult<T> {}

    /** Rolls the phase back and has it retried after a pause. */
    record RetryLater<T>(String why, Duration pause) implements PhaseResult<T> {}

    /** Commits the phase and goes to another point. */
    static <T> PhaseResult<T> goTo(String point) {
        return new NextPoint<>(point, null);
    }

    /**
     * Commits the phase and goes to another point with a value.
     *
     * @param carried stored with the point by the codec, until the flow ends
     */
    static <T> PhaseResult<T> goTo(String point, Object carried) {
        return new NextPoint<>(point, carried);
    }

    /**
     * Commits the phase and ends the flow with a result.
     *
     * @param status the HTTP status, below 400
     * @param result stored as it is if it is bytes or text, and otherwise by the codec
     */
    static <T> PhaseResult<T> finish(int status, @Nullable T result) {
        return finish(status, List.of(), result);
    }

    /** Commits the phase and ends the flow with a result and HTTP headers. */
    static <T> PhaseResult<T> finish(int status, List<AnswerHeader> headers, @Nullable T result) {
        if (status >= 400) {
            throw new IllegalArgumentException("Cannot finish a flow with status " + status
                    + ": from 400 on it is a failure. Use PhaseResult.fail(" + status + ", …).");
        }
        return new Finish<>(status, headers, result);
    }

    /**
     * Commits the phase and ends the flow with a failure that is its outcome, such as a declined card. Callers of {@link FlowRunner#run}
     * get a {@link FlowFailedException}.
     *
     * @param status the HTTP status, 400 or above
     * @param body stored as it is if it is bytes or text, and otherwise by the codec
     */
    static <T> PhaseResult<T> fail(int status, @Nullable Object body) {
        return fail(status, List.of(), body);
    }

    /** Commits the phase and ends the flow with a failure and HTTP headers. */
    static <T> PhaseResult<T> fail(int status, List<AnswerHeader> headers, @Nullable Object body) {
        if (status < 400) {
            throw new IllegalArgumentException("Cannot fail a flow with status " + status
                    + ": a failure has 400 or above. Use PhaseResult.finish(" + status + ", …).");
        }
        return new Finish<>(status, headers, body);
    }

    /** Rolls the phase back and has it retried after a pause. */
    static <T> PhaseResult<T> retryAfter(Duration pause, String why) {
        return new RetryLater<>(why, pause);
    }
}
