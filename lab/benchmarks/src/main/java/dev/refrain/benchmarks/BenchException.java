package dev.refrain.benchmarks;
/** Failure of a measurement. The message says which one and why. */
public final class BenchException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BenchException(String message, Throwable cause) {
        super(message, cause);
    }

    BenchException(String message) {
        super(message);
    }
}
