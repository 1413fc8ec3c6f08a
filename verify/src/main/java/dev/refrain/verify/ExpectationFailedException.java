package dev.refrain.verify;

import java.util.Optional;

/** Thrown when the API does not behave as a case expects. */
final class ExpectationFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String expected;
    private final transient Optional<String> means;
    private final boolean ofResponseAlone;

    ExpectationFailedException(String expected, String found) {
        this(expected, found, Optional.empty());
    }

    private ExpectationFailedException(String expected, String found, Optional<String> means) {
        this(expected, found, means, false);
    }

    private ExpectationFailedException(String expected, String found, Optional<String> means, boolean ofResponseAlone) {
        super(found);
        this.expected = expected;
        this.means = means;
        this.ofResponseAlone = ofResponseAlone;
    }

    /** Creates a failure for a retry that got another response than the first request: whether it took effect again is for a count to say. */
    static ExpectationFailedException wrongReplay(String expected, String found) {
        return new ExpectationFailedException(expected, found, Optional.empty(), true);
    }

    /** Creates a failure for a request that was rejected as it should be, but with the wrong status. */
    static ExpectationFailedException wrongStatus(String expected, String found, int status) {
        return new ExpectationFailedException(
                expected,
                found,
                Optional.of(
                        status >= 500
                                ? "Nothing seems to have run, but clients take this status for a temporary failure and keep retrying."
                                : "Nothing seems to have run, but a client that implements the standard or the profile does not "
                                        + "recognize the rejection."));
    }

    /** Consequence of this failure, if it is not the one in the case's description. */
    Optional<String> means() {
        return means;
    }

    /** Returns whether only a response was wrong, so that nothing is known about effects yet. */
    boolean isOfResponseAlone() {
        return ofResponseAlone;
    }

    String expected() {
        return expected;
    }

    String found() {
        return String.valueOf(getMessage());
    }
}
