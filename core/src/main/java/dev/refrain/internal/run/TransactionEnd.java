package dev.refrain.internal.run;

/** End of a transaction, as far as it is known. */
enum TransactionEnd {
    TAKEN_BACK,
    FENCED_OUT,
    COMMITTED,
    UNKNOWN
}
