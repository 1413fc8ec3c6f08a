package dev.refrain.benchmarks;
/** Failure of a measurement. The message says which one and why. */
public final class MeasurementFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MeasurementFailedException(String message, Throwable cause) {
        super(message, cause);
    }

    MeasurementFailedException(String message) {
        super(message);
    }
}
