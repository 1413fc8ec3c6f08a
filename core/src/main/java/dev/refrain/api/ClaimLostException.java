package dev.refrain.api;

import dev.refrain.store.StoredRecord;
import java.util.Optional;

/** Someone else took the work over. Not to be caught by the work: its run is over, and the caller is told what the other one did. */
public final class ClaimLostException extends RefrainException {

    private static final long serialVersionUID = 1L;

    private final transient Optional<StoredRecord> current;

    public ClaimLostException(String operation, Optional<StoredRecord> current) {
        super(operation + ": someone else took the work over; nothing of this phase is left.");
        this.current = current;
    }

    public Optional<StoredRecord> current() {
        return current;
    }
}
