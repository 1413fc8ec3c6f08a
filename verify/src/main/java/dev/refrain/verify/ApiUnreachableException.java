package dev.refrain.verify;
/** Thrown when the API gives no response at all, so that nothing can be tested. */
public final class ApiUnreachableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ApiUnreachableException(String message, Throwable cause) {
        super(message, cause);
    }
}
