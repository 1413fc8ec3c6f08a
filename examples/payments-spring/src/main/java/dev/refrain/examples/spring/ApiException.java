package dev.refrain.examples.spring;

import dev.refrain.examples.spring.ApiErrorAdvice.ApiError;
import org.springframework.http.HttpStatus;

/** Error of the API, with its status and a message for the client. */
final class ApiException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final HttpStatus status;
    private final transient ApiError error;

    private ApiException(HttpStatus status, ApiError error) {
        super(error.message());
        this.status = status;
        this.error = error;
    }

    static ApiException notFound(String what, String id) {
        return new ApiException(
                HttpStatus.NOT_FOUND,
                ApiError.of("invalid_request_error", "No such " + what + ": " + id)
                        .code("resource_missing"));
    }

    /** Creates the error for a request that the payment's state does not allow. */
    static ApiException unexpectedState(String message) {
        return new ApiException(
                HttpStatus.BAD_REQUEST,
                ApiError.of("invalid_request_error", message).code("payment_intent_unexpected_state"));
    }

    /**
     * Creates the error for a payment that another operation is processing. It is not kept, and a retry may succeed.
     */
    static ApiException underWay(String message) {
        return new ApiException(
                HttpStatus.CONFLICT, ApiError.of("api_error", message).code("lock_timeout"));
    }

    static ApiException declined(String reason) {
        return new ApiException(
                HttpStatus.PAYMENT_REQUIRED,
                ApiError.of("card_error", "The bank declined the payment: " + reason.replace('_', ' ') + ".")
                        .declined(reason));
    }

    HttpStatus status() {
        return status;
    }

    ApiError error() {
        return error;
    }
}
