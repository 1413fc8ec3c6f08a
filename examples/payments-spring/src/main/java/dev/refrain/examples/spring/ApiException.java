package dev.refrain.examples.spring;

import dev.refrain.examples.spring.ApiErrorAdvice.ApiError;
import org.springframework.http.HttpStatus;

/** What the API refuses, in words for its clients. */
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

    /** It is asked for something that the payment's state does not allow. */
    static ApiException unexpectedState(String message) {
        return new ApiException(
                HttpStatus.BAD_REQUEST,
                ApiError.of("invalid_request_error", message).code("payment_intent_unexpected_state"));
    }

    /** Someone else is at it: this answer is not kept, and a retry may find it done. */
    static ApiException underWay(String message) {
        return new ApiException(
                HttpStatus.CONFLICT, ApiError.of("api_error", message).code("lock_timeout"));
    }

    static ApiException declined(String reason) {
        return new ApiException(
                HttpStatus.PAYMENT_REQUIRED,
                ApiError.of("card_error", "The bank declined: " + reason.replace('_', ' ') + ".")
                        .declined(reason));
    }

    HttpStatus status() {
        return status;
    }

    ApiError error() {
        return error;
    }
}
