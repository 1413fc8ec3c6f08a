package dev.refrain.http.outgoing;
/** What becomes of a call to another system that is made inside an open transactional operation. */
public enum CallInTransactionPolicy {
    /** Refused: a commit that fails afterwards cannot take the call back. */
    REFUSE,

    /** Made, and a warning is logged. */
    WARN
}
