package dev.refrain.api;
/** Signals that the key was used before for a different request. Nothing ran; a new intent needs a new key. */
public final class RequestMismatchException extends RefrainException {
    private static final long serialVersionUID = 1L;

    private final RecordId recordId;

    public RequestMismatchException(String operation, RecordId recordId) {
        super(operation + ": this key was already used for a different request (record " + recordId
                + "). Use a new key for a new request.");
        this.recordId = recordId;
    }

    public RecordId recordId() {
        return recordId;
    }
}
