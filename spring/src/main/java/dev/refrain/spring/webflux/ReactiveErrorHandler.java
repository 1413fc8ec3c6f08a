package dev.refrain.spring.webflux;

import java.util.List;
import java.util.function.Supplier;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;

/**
 * Turns an error with a status into the application's response to it. WebFlux does that outside of all filters, too late to store
 * it, so the application's {@link WebExceptionHandler}s are called here. An error without a status is a failure and is left to
 * them outside.
 */
final class ReactiveErrorHandler {

    private final Supplier<List<WebExceptionHandler>> handlers;

    ReactiveErrorHandler(Supplier<List<WebExceptionHandler>> handlers) {
        this.handlers = handlers;
    }

    /** Writes the response; fails with the same error if there is none. */
    Mono<Void> write(ServerWebExchange exchange, Throwable failure) {
        if (!saysItsStatus(failure)) {
            return Mono.error(failure);
        }
        Mono<Void> answer = Mono.error(failure);
        for (var handler : handlers.get()) {
            answer = answer.onErrorResume(error -> handler.handle(exchange, error));
        }
        return answer.onErrorMap(unanswered -> failure);
    }

    private static boolean saysItsStatus(Throwable failure) {
        return failure instanceof ErrorResponse
                || AnnotatedElementUtils.hasAnnotation(failure.getClass(), ResponseStatus.class);
    }
}
