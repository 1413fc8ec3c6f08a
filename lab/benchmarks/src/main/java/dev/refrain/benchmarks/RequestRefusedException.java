package dev.refrain.benchmarks;

/** Reports that a request was refused because the other side has too much to do. */
final class RequestRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    RequestRefusedException() {
        // Without a stack trace: thrown by the thousand.
        super("Refused: too much to do.", null, false, false);
    }
}
