package dev.refrain.examples.spring;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.validation.FieldError;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Renders errors in the format of Stripe's API. */
@RestControllerAdvice
class ApiErrorAdvice {

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ApiError(
            String type,
            String message,
            @Nullable String code,
            @Nullable String declineCode,
            @Nullable String param) {

        static ApiError of(String type, String message) {
            return new ApiError(type, message, null, null, null);
        }

        ApiError code(String named) {
            return new ApiError(type, message, named, declineCode, param);
        }

        ApiError declined(String reason) {
            return new ApiError(type, message, "card_declined", reason, param);
        }

        ApiError param(String named) {
            return new ApiError(type, message, code, declineCode, named);
        }
    }

    record Body(ApiError error) {}

    @ExceptionHandler
    ResponseEntity<Body> rejected(ApiException refusal) {
        return ResponseEntity.status(refusal.status()).body(new Body(refusal.error()));
    }

    /**
     * Handles invalid parameters. The work has not begun, so the key is not consumed: the client can fix the request
     * and send it again under the same key.
     */
    @ExceptionHandler
    ResponseEntity<Body> invalid(MethodArgumentNotValidException invalid) {
        var first = invalid.getFieldErrors().getFirst();
        String name = first.getField().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
        return ResponseEntity.badRequest()
                .body(new Body(ApiError.of("invalid_request_error", name + " " + describe(first))
                        .code("parameter_invalid")
                        .param(name)));
    }

    private static String describe(FieldError error) {
        return error.isBindingFailure()
                ? "is not a number: " + error.getRejectedValue()
                : String.valueOf(error.getDefaultMessage());
    }

    /**
     * Handles a missing response of the bank. The error is not kept: a retry asks the bank again under the same derived
     * key.
     */
    @ExceptionHandler
    ResponseEntity<Body> unanswered(BankNoResponseException unanswered) {
        return ResponseEntity.status(HttpStatus.BAD_GATEWAY)
                .header(HttpHeaders.RETRY_AFTER, "1")
                .body(new Body(ApiError.of(
                        "api_error", "The bank did not respond. Retry the same request with the same key.")));
    }
}
