package dev.refrain.http.outgoing;
/** Handling of calls to another system that are made inside an open transactional operation. */
public enum CallInTransactionPolicy {
    /** Rejects the call, since a commit that fails afterwards cannot undo it. */
    REFUSE,

    /** Sends the call and logs a warning. */
    WARN
}
