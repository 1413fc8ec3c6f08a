package dev.refrain.run;

import dev.refrain.claim.ClaimResult;
import dev.refrain.key.RecordId;
import dev.refrain.observe.Watch;
import java.util.Optional;

/** Tells whoever watches a call how it ended. */
final class Watched {

    /** The call, or its last part. */
    @FunctionalInterface
    interface Part<T, X extends Exception> {
        T run() throws X;
    }

    private Watched() {}

    /** A call that is over when this returns. */
    static <X extends Exception> RunResult observeCall(Watch watch, Part<RunResult, X> call) throws X {
        RunResult result;
        try {
            result = observePart(watch, call);
        } catch (Throwable failure) {
            watch.onFailure(failure);
            throw failure;
        }
        reportEnd(watch, result);
        return result;
    }

    /** A call that goes on after it. */
    static <T, X extends Exception> T observePart(Watch watch, Part<T, X> part) throws X {
        try (var here = watch.openScope()) {
            return part.run();
        }
    }

    static void reportEnd(Watch watch, RunResult result) {
        watch.onEnd(end(result), record(result));
    }

    private static Watch.End end(RunResult result) {
        return switch (result) {
            case RunResult.Ran ran -> Watch.End.RAN;
            case RunResult.Replayed replayed -> Watch.End.REPLAYED;
            case RunResult.StillRunning running -> Watch.End.IN_PROGRESS;
            case RunResult.Refused refused ->
                refused.why() instanceof ClaimResult.Mismatch ? Watch.End.MISMATCH : Watch.End.ATTENTION;
        };
    }

    private static Optional<RecordId> record(RunResult result) {
        return result instanceof RunResult.Replayed replayed ? Optional.of(replayed.id()) : Optional.empty();
    }
}
