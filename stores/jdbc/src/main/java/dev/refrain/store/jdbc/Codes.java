package dev.refrain.store.jdbc;

import dev.refrain.outcome.Payload;
import dev.refrain.outcome.Retention;
import dev.refrain.store.State;
import dev.refrain.store.TakeOver;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How the words of the protocol are written in columns. */
final class Codes {

    private static final long FOR_EVER = -1;

    private Codes() {}

    static int of(State state) {
        return switch (state) {
            case IN_PROGRESS -> 1;
            case COMPLETED -> 2;
            case RELEASED -> 3;
            case ATTENTION -> 4;
        };
    }

    static State state(int code) {
        return switch (code) {
            case 1 -> State.IN_PROGRESS;
            case 2 -> State.COMPLETED;
            case 3 -> State.RELEASED;
            case 4 -> State.ATTENTION;
            default -> throw new IllegalStateException("No state has the code " + code);
        };
    }

    static long of(Retention retention) {
        return retention.duration().map(Question::micros).orElse(FOR_EVER);
    }

    /** How long a record lives that is claimed and completed at the same moment; none for ever. */
    static @Nullable Long lifeOnceCompleted(Retention retention) {
        return retention
                .duration()
                .map(time -> Math.max(Question.micros(time), Question.micros(Retention.AFTER_COMPLETION)))
                .orElse(null);
    }

    static boolean holds(TakeOver takeOver) {
        return takeOver == TakeOver.HOLD;
    }

    static byte @Nullable [] bytes(Optional<Payload> payload) {
        return payload.map(Payload::bytes).orElse(null);
    }
}
