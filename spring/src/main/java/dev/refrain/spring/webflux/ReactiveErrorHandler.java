package dev.refrain.spring.webflux;

import dev.refrain.api.Claim;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.result.method.annotation.AbstractMessageReaderArgumentResolver;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebInputException;
import org.springframework.web.server.UnsupportedMediaTypeStatusException;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;

/**
 * Turns an error that says its status into the answer that the application gives for it. WebFlux does that outside of all filters, where
 * it could not be kept, so its own {@link WebExceptionHandler}s are asked here. An error that says no status is a failure, and theirs to
 * meet outside.
 */
final class ReactiveErrorHandler {

    private static final String READS_BODY = AbstractMessageReaderArgumentResolver.class.getName();

    private final Supplier<List<WebExceptionHandler>> handlers;

    ReactiveErrorHandler(Supplier<List<WebExceptionHandler>> handlers) {
        this.handlers = handlers;
    }

    /** Writes the answer; fails with the same error if there is none. */
    Mono<Void> write(ServerWebExchange exchange, Throwable failure, Claim claim) {
        if (!saysItsStatus(failure)) {
            return Mono.error(failure);
        }
        if (isBeforeTheWork(exchange, failure)) {
            nothingHappened(claim);
        }
        Mono<Void> answer = Mono.error(failure);
        for (var handler : handlers.get()) {
            answer = answer.onErrorResume(error -> handler.handle(exchange, error));
        }
        return answer.onErrorMap(unanswered -> failure);
    }

    static void nothingHappened(Claim claim) {
        claim.doNotKeepAnswer();
        claim.declareNoEffect();
    }

    private static boolean saysItsStatus(Throwable failure) {
        return failure instanceof ErrorResponse
                || AnnotatedElementUtils.hasAnnotation(failure.getClass(), ResponseStatus.class);
    }

    /** What Spring refuses while it makes the handler's arguments does not consume the key. */
    private static boolean isBeforeTheWork(ServerWebExchange exchange, Throwable failure) {
        return isOfArguments(failure)
                && exchange.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE)
                        instanceof HandlerMethod handler
                && Arrays.stream(handler.getMethodParameters()).noneMatch(p -> comesLater(p.getParameterType()));
    }

    /** Spring names the argument, or is seen to have read it; an application that fails in the same words does not. */
    private static boolean isOfArguments(Throwable failure) {
        return switch (failure) {
            case ServerWebInputException input -> input.getMethodParameter() != null;
            case HandlerMethodValidationException invalid -> !invalid.isForReturnValue();
            case UnsupportedMediaTypeStatusException unread ->
                Arrays.stream(unread.getStackTrace())
                        .anyMatch(frame -> frame.getClassName().startsWith(READS_BODY));
            default -> false;
        };
    }

    /** A handler that is given a {@code Mono} may have begun before its body turns out to be wrong. */
    private static boolean comesLater(Class<?> argument) {
        return ReactiveAdapterRegistry.getSharedInstance().getAdapter(argument) != null;
    }
}
