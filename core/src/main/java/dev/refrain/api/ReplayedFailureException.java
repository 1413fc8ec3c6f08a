package dev.refrain.api;
/** Replays a stored failure: the operation failed before under this key. A new attempt needs a new key. */
public final class ReplayedFailureException extends RefrainException {
    private static final long serialVersionUID = 1L;

    private final RecordId recordId;
    private final String type;
    private final String originalMessage;

    public ReplayedFailureException(String operation, RecordId recordId, StoredFailure failure) {
        super(operation + " failed under this key (record " + recordId + ") with " + failure.type() + ": "
                + failure.message());
        this.recordId = recordId;
        this.type = failure.type();
        this.originalMessage = failure.message();
    }

    public RecordId recordId() {
        return recordId;
    }

    /** Returns the class name of the original exception. */
    public String type() {
        return type;
    }

    public String originalMessage() {
        return originalMessage;
    }
}
