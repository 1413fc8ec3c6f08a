package dev.refrain.verify;

/** An API did not do what was expected of it. */
final class UnmetException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String expected;

    UnmetException(String expected, String found) {
        super(found);
        this.expected = expected;
    }

    String expected() {
        return expected;
    }

    String found() {
        return String.valueOf(getMessage());
    }
}
