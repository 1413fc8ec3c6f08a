package dev.refrain.http.outgoing;

import dev.refrain.api.RefrainException;

/** Signals an attempt to call another system inside an open transactional operation. The call was not sent. */
public final class CallInTransactionException extends RefrainException {
    private static final long serialVersionUID = 1L;

    CallInTransactionException(String call) {
        super(
                call
                        + " was not sent, because it was made inside a transactional operation: if the commit fails afterwards, the call"
                        + " cannot be rolled back. Make the operation leased or a flow, or call before or after the transaction.");
    }
}
