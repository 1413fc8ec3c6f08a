package dev.refrain.api;
/** The operation was done before, and only that is known: its answer was not kept, was too large, or was erased. */
public final class OutcomeNotKeptException extends RefrainException {
    private static final long serialVersionUID = 1L;

    private final RecordId recordId;

    public OutcomeNotKeptException(String operation, RecordId recordId) {
        super(operation + " was completed under this key (record " + recordId
                + "), but its answer is not kept; look the result up where the work left it.");
        this.recordId = recordId;
    }

    public RecordId recordId() {
        return recordId;
    }
}
