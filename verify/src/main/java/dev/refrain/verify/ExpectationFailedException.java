package dev.refrain.verify;

import java.util.Optional;

/** An API did not do what was expected of it. */
final class ExpectationFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String expected;
    private final transient Optional<String> means;

    ExpectationFailedException(String expected, String found) {
        this(expected, found, Optional.empty());
    }

    private ExpectationFailedException(String expected, String found, Optional<String> means) {
        super(found);
        this.expected = expected;
        this.means = means;
    }

    /** It was refused as it should be, but with a status that says something else. */
    static ExpectationFailedException wrongStatus(String expected, String found, int status) {
        return new ExpectationFailedException(
                expected,
                found,
                Optional.of(
                        status >= 500
                                ? "Nothing seems to have run, but a client takes this for trouble that passes, and sends the same again and again."
                                : "Nothing seems to have run, but a client that knows the standard, or the profile, does not recognise the refusal."));
    }

    /** What it means, where that is not what the case says. */
    Optional<String> means() {
        return means;
    }

    String expected() {
        return expected;
    }

    String found() {
        return String.valueOf(getMessage());
    }
}
