package dev.refrain.api;
/**
 * Signals that a body had another length than expected: its stream was read elsewhere, or it changed. No fingerprint was made and
 * nothing was claimed.
 */
public final class BodyAlreadyReadException extends RefrainException {
    private static final long serialVersionUID = 1L;

    private final long expected;
    private final long found;

    BodyAlreadyReadException(long expected, long found) {
        super(
                "Fingerprinting a request body found " + found + " bytes where " + expected + " were announced or read"
                        + " before: its stream was read elsewhere, or its source returned the same stream twice. Give"
                        + " RepeatableBody.stream a source that opens the body anew each time, or buffer the bytes and use RepeatableBody.of.");
        this.expected = expected;
        this.found = found;
    }

    /** Returns the announced length, or that of the first reading. */
    public long expected() {
        return expected;
    }

    /** Returns the length of this reading. */
    public long found() {
        return found;
    }
}
