package dev.refrain.verify;
/** The API could not be reached at all: nothing can be said of it. */
public final class ApiUnreachableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ApiUnreachableException(String message, Throwable cause) {
        super(message, cause);
    }
}
