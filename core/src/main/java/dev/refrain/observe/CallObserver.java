package dev.refrain.observe;

import dev.refrain.api.RecordId;

/**
 * Follows one call of an operation, from before its claim to its end. It is told on which thread the call goes on, so that what the work
 * does there can be seen as a part of it; and how it ended, exactly once. Events of the call that happen in between are heard by {@link
 * RefrainListener#onEvent} on that thread.
 */
public interface CallObserver {

    /** How a call ended. */
    enum CallEnd {
        /** The work ran. */
        RAN,
        /** It had been done, and its outcome was given again. */
        REPLAYED,
        IN_PROGRESS,
        MISMATCH,
        ATTENTION
    }

    /** A part of the call on one thread. */
    interface ThreadScope extends AutoCloseable {
        @Override
        void close();
    }

    CallObserver NONE = new CallObserver() {
        @Override
        public ThreadScope openScope() {
            return () -> {};
        }

        @Override
        public void onEnd(CallEnd end) {}

        @Override
        public void onFailure(Throwable failure) {}
    };

    /** The call goes on on this thread, until that is closed. */
    ThreadScope openScope();

    /** The call ended. A replay is reported by {@link #onReplay}. */
    void onEnd(CallEnd end);

    /** The call ended with the stored outcome of this record. */
    default void onReplay(RecordId record) {
        onEnd(CallEnd.REPLAYED);
    }

    /** The work failed, or nothing could be asked; or nobody knows whether it has ended. */
    void onFailure(Throwable failure);

    /** Both. */
    default CallObserver and(CallObserver other) {
        return other.equals(NONE) ? this : equals(NONE) ? other : new CompositeCallObserver(this, other);
    }
}
