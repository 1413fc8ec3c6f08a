package dev.refrain.spring.webflux;

import dev.refrain.api.Claim;
import dev.refrain.http.edge.LeasedExchange;
import dev.refrain.http.edge.ResponseDecision;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.ContextView;

/**
 * A handler under way in WebFlux. It is subscribed to here and not by the connection: a client that hangs up cancels nothing.
 *
 * @param inside what the handler sees
 * @param blocking where the store is asked
 */
record LeasedReactiveExchange(
        LeasedExchange exchange,
        ServerWebExchange inside,
        CapturedReactiveResponse answer,
        ReactiveErrorHandler errors,
        Scheduler blocking) {

    /** Runs the handler; what is returned completes when its answer is sent. */
    Mono<Void> start(WebFilterChain chain, ContextView context) {
        var sent = Sinks.<Void>empty();
        var all = work(chain)
                .materialize()
                .flatMap(done -> inside.cleanupMultipart().onErrorComplete().thenReturn(done))
                .flatMap(this::ended);
        exchange.<RuntimeException>runPart(
                () -> all.contextWrite(context).subscribe(nothing -> {}, sent::tryEmitError, sent::tryEmitEmpty));
        return sent.asMono();
    }

    private Mono<Void> work(WebFilterChain chain) {
        return Mono.defer(() -> chain.filter(inside))
                .onErrorResume(failure -> errors.write(inside, failure, exchange.claim()))
                .then(Mono.defer(answer::setComplete))
                // What watches this call is current on this thread, and goes with the work from here.
                .contextCapture()
                .contextWrite(context -> context.put(Claim.class, exchange.claim()));
    }

    /** Stored first, sent then. */
    private Mono<Void> ended(Signal<Void> done) {
        if (inside.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE) == null) {
            // A filter behind this one has refused: no handler was even looked for.
            ReactiveErrorHandler.nothingHappened(exchange.claim());
        }
        var failure = done.getThrowable();
        if (failure == null) {
            return Mono.fromCallable(() -> exchange.complete(answer.answer()))
                    .subscribeOn(blocking)
                    .flatMap(ending -> send(ending, new IllegalStateException("Nothing was thrown.")));
        }
        return Mono.fromCallable(() -> exchange.fail(failure))
                .subscribeOn(blocking)
                .flatMap(ending -> send(ending, failure));
    }

    private Mono<Void> send(ResponseDecision ending, Throwable failure) {
        return switch (ending) {
            case ResponseDecision.HandlerResponse own -> answer.send();
            case ResponseDecision.ReplacementResponse instead -> answer.sendInstead(instead.reply());
            case ResponseDecision.RethrownFailure thrown -> {
                answer.discard(failure);
                yield Mono.error(failure);
            }
        };
    }
}
