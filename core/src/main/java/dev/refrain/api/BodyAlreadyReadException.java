package dev.refrain.api;
/**
 * A body yielded another number of bytes than it must have: something else has read its stream, or it changed. No
 * fingerprint was made, nothing was claimed.
 */
public final class BodyAlreadyReadException extends RefrainException {
    private static final long serialVersionUID = 1L;

    private final long expected;
    private final long found;

    BodyAlreadyReadException(long expected, long found) {
        super("Fingerprinting a request body found " + found + " bytes where " + expected + " were announced or read"
                + " before. Its stream was read elsewhere, or its source returns the same stream twice: give"
                + " Body.stream a source that opens the body anew each time, or keep the bytes and give Body.of.");
        this.expected = expected;
        this.found = found;
    }

    /** The length announced, or that of the first reading. */
    public long expected() {
        return expected;
    }

    /** The length of this reading. */
    public long found() {
        return found;
    }
}
