package dev.refrain.observe;

import dev.refrain.api.RecordId;

/**
 * Observes one call of an operation, from before its claim to its end: on which threads it runs, so that the work there can be
 * attributed to it, and how it ended, exactly once. Events of the call in between reach {@link RefrainListener#onEvent} on that
 * thread.
 */
public interface CallObserver {

    /** Ways in which a call ends. */
    enum CallEnd {
        /** The work ran. */
        RAN,
        /** The operation was completed before, and its outcome was replayed. */
        REPLAYED,
        IN_PROGRESS,
        MISMATCH,
        ATTENTION
    }

    /** Part of the call on one thread. */
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

    /** Called when the call continues on this thread; closing the result ends that part. */
    ThreadScope openScope();

    /** Called when the call has ended. A replay is reported by {@link #onReplay}. */
    void onEnd(CallEnd end);

    /** Called when the call has ended with the stored outcome of this record. */
    default void onReplay(RecordId record) {
        onEnd(CallEnd.REPLAYED);
    }

    /** Called when the work failed, the store was unreachable, or it is unknown whether the work has ended. */
    void onFailure(Throwable failure);

    /** Combines two observers. */
    default CallObserver and(CallObserver other) {
        return other.equals(NONE) ? this : equals(NONE) ? other : new CompositeCallObserver(this, other);
    }
}
