package dev.refrain.internal.run;

import dev.refrain.api.OperationResult;
import dev.refrain.observe.CallObserver;

/** Reports the end of a call to its observer. */
public final class ObservedRun {

    /** The call, or its last part. */
    @FunctionalInterface
    public interface ObservedPart<T, X extends Exception> {
        T run() throws X;
    }

    private ObservedRun() {}

    /** Observes a call that has ended when this returns. */
    public static <X extends Exception> OperationResult observeCall(
            CallObserver watch, ObservedPart<OperationResult, X> call) throws X {
        OperationResult result;
        try {
            result = observePart(watch, call);
        } catch (Throwable failure) {
            watch.onFailure(failure);
            throw failure;
        }
        reportEnd(watch, result);
        return result;
    }

    /** Observes a part of a call that continues afterwards. */
    public static <T, X extends Exception> T observePart(CallObserver watch, ObservedPart<T, X> part) throws X {
        try (var here = watch.openScope()) {
            return part.run();
        }
    }

    static void reportEnd(CallObserver watch, OperationResult result) {
        if (result instanceof OperationResult.Replayed replayed) {
            watch.onReplay(replayed.id());
        } else {
            watch.onEnd(end(result));
        }
    }

    private static CallObserver.CallEnd end(OperationResult result) {
        return switch (result) {
            case OperationResult.Ran ran -> CallObserver.CallEnd.RAN;
            case OperationResult.Replayed replayed -> CallObserver.CallEnd.REPLAYED;
            case OperationResult.InProgress running -> CallObserver.CallEnd.IN_PROGRESS;
            case OperationResult.Mismatch mismatch -> CallObserver.CallEnd.MISMATCH;
            case OperationResult.Attention attention -> CallObserver.CallEnd.ATTENTION;
        };
    }
}
