package dev.refrain.store.jdbc.internal.record;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Payload;
import dev.refrain.api.RecoveryPoint;
import dev.refrain.api.Retention;
import dev.refrain.store.RecordState;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Codes of states and policies in columns. */
public final class ColumnCodes {

    private static final long FOR_EVER = -1;
    private static final String CALL_ANNOUNCED = "!";

    private ColumnCodes() {}

    public static int of(RecordState state) {
        return switch (state) {
            case IN_PROGRESS -> 1;
            case COMPLETED -> 2;
            case RELEASED -> 3;
            case ATTENTION -> 4;
        };
    }

    public static RecordState state(int code) {
        return switch (code) {
            case 1 -> RecordState.IN_PROGRESS;
            case 2 -> RecordState.COMPLETED;
            case 3 -> RecordState.RELEASED;
            case 4 -> RecordState.ATTENTION;
            default -> throw new IllegalStateException("No state has the code " + code);
        };
    }

    public static long of(Retention retention) {
        return retention.duration().map(ParameterizedScript::micros).orElse(FOR_EVER);
    }

    /** Returns how long a record lives that is claimed and completed at the same moment; null if it never expires. */
    public static @Nullable Long lifeOnceCompleted(Retention retention) {
        return retention
                .duration()
                .map(time -> Math.max(
                        ParameterizedScript.micros(time), ParameterizedScript.micros(Retention.AFTER_COMPLETION)))
                .orElse(null);
    }

    public static boolean holds(LeaseExpiryPolicy takeOver) {
        return takeOver == LeaseExpiryPolicy.HOLD;
    }

    /**
     * A point whose call is announced is written with an exclamation mark: instances of older versions know it by that, and must never
     * take a call for unsent that a newer one announced.
     */
    static String of(RecoveryPoint point) {
        return point.callMayBeSent() ? point.name() + CALL_ANNOUNCED : point.name();
    }

    static RecoveryPoint recoveryPoint(String stored) {
        return stored.endsWith(CALL_ANNOUNCED)
                ? RecoveryPoint.withCallAnnounced(stored.substring(0, stored.length() - CALL_ANNOUNCED.length()))
                : RecoveryPoint.reached(stored);
    }

    public static byte @Nullable [] bytes(Optional<Payload> payload) {
        return payload.map(Payload::bytes).orElse(null);
    }
}
