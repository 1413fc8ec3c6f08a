package dev.refrain.benchmarks;
/** Something could not be measured. The message says what. */
public final class BenchException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BenchException(String message, Throwable cause) {
        super(message, cause);
    }

    BenchException(String message) {
        super(message);
    }
}
