package dev.refrain.internal.batch;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoreOverloadedException;
import org.jspecify.annotations.Nullable;

/** Last transient failure of a store, until it answers again. Thread-safe. */
final class LastStoreFailure {

    private volatile @Nullable StoreException failure;

    void note(StoreException latest) {
        failure = latest;
    }

    void clear() {
        failure = null;
    }

    boolean isStanding() {
        return failure != null;
    }

    /** Returns the failure; null if the store answered since. */
    @Nullable
    StoreException get() {
        return failure;
    }

    /** Returns why a request is refused. A store that fails is away and not overloaded, whatever the pace was: a caller may fail open then. */
    StoreException refusal() {
        var latest = failure;
        return latest == null
                ? new StoreOverloadedException(
                        "The store is overloaded: it would not answer in time at the pace of the moment. Nothing ran; retry later.")
                : StoreException.unavailable(
                        "The store would not answer in time: " + latest.getMessage(), Effect.NONE, latest);
    }
}
