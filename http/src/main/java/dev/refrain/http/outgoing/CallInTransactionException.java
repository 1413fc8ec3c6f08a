package dev.refrain.http.outgoing;

import dev.refrain.api.RefrainException;

/** A call to another system was about to be made inside an open transactional operation. It was not sent. */
public final class CallInTransactionException extends RefrainException {
    private static final long serialVersionUID = 1L;

    CallInTransactionException(String call) {
        super(call
                + " was about to be sent from inside a transactional operation, and was not: if the commit fails afterwards, the call"
                + " cannot be taken back. Make the operation leased, or a flow; or call before or after it.");
    }
}
