package dev.refrain.api;
/** Signals that the operation was completed before, but its answer was not stored, was too large, or was erased. */
public final class OutcomeNotKeptException extends RefrainException {
    private static final long serialVersionUID = 1L;

    private final RecordId recordId;

    public OutcomeNotKeptException(String operation, RecordId recordId) {
        super(operation + " was completed under this key (record " + recordId
                + "), but its answer is not stored. Look the result up where the work wrote it.");
        this.recordId = recordId;
    }

    public RecordId recordId() {
        return recordId;
    }
}
