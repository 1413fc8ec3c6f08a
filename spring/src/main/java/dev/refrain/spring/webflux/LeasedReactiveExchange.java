package dev.refrain.spring.webflux;

import dev.refrain.api.Claim;
import dev.refrain.http.edge.BufferReservation;
import dev.refrain.http.edge.EdgeResponse;
import dev.refrain.http.edge.LeasedExchange;
import dev.refrain.http.edge.ResponseDecision;
import dev.refrain.spring.internal.handler.HandlerGate;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.ContextView;

/**
 * Leased handler running in WebFlux. It is subscribed to here and not by the connection, so a client that disconnects cancels
 * nothing.
 */
final class LeasedReactiveExchange {

    private final LeasedExchange exchange;
    private final ServerWebExchange inside;
    private final CapturedReactiveResponse answer;
    private final ReactiveErrorHandler errors;
    private final Scheduler blocking;
    private final BufferReservation memory;
    private final Sinks.Empty<Void> sent = Sinks.empty();

    /**
     * Creates the exchange; nothing runs yet.
     *
     * @param inside the exchange that the handler sees
     * @param blocking the scheduler for blocking calls to the store
     * @param memory the memory of the exchange, held until the handler has ended and its response is sent
     */
    LeasedReactiveExchange(
            LeasedExchange exchange,
            ServerWebExchange inside,
            CapturedReactiveResponse answer,
            ReactiveErrorHandler errors,
            Scheduler blocking,
            BufferReservation memory) {
        this.exchange = exchange;
        this.inside = inside;
        this.answer = answer;
        this.errors = errors;
        this.blocking = blocking;
        this.memory = memory;
    }

    /** Completes when the response is sent, which may be before the handler has ended. */
    Mono<Void> response() {
        return sent.asMono();
    }

    /** Runs the handler; what it does before its first asynchronous step runs on this thread. */
    void start(WebFilterChain chain, ContextView context) {
        exchange.answerAtMaxRunTime(reply -> answerEarly(reply, context));
        var held = memory.retain();
        var all = work(chain)
                .materialize()
                .flatMap(done -> inside.cleanupMultipart().onErrorComplete().thenReturn(done))
                .flatMap(this::ended)
                .doFinally(end -> held.close());
        try {
            exchange.<RuntimeException>runPart(
                    () -> all.contextWrite(context).subscribe(nothing -> {}, this::failed, this::completed));
        } catch (RuntimeException | Error failure) {
            if (!exchange.hasEnded()) {
                exchange.fail(failure);
            }
            failed(failure);
        }
    }

    /** Answers the client of a handler that still runs. */
    private void answerEarly(EdgeResponse reply, ContextView context) {
        if (answer.replaceEarly()) {
            answer.sendEarly(reply)
                    .contextWrite(context)
                    .subscribe(nothing -> {}, sent::tryEmitError, sent::tryEmitEmpty);
        }
    }

    private void completed() {
        if (!answer.isReplacedEarly()) {
            sent.tryEmitEmpty();
        }
    }

    private void failed(Throwable failure) {
        if (!answer.isReplacedEarly()) {
            sent.tryEmitError(failure);
        }
    }

    private Mono<Void> work(WebFilterChain chain) {
        var gate = HandlerArrivalMapping.gateOf(inside);
        return Mono.defer(() -> chain.filter(inside))
                .doOnError(failure -> ReactiveArgumentGate.refuseInvalid(inside, failure))
                .onErrorResume(failure -> errors.write(inside, failure))
                .then(Mono.defer(answer::setComplete))
                // The observation of this call is current on this thread; the context carries it along from here.
                .contextCapture()
                .contextWrite(context -> gate.map(known -> context.put(HandlerGate.class, known))
                        .orElse(context)
                        .put(Claim.class, exchange.claim()));
    }

    /** Stores the outcome, then sends the response. */
    private Mono<Void> ended(Signal<Void> done) {
        var failure = done.getThrowable();
        HandlerArrivalMapping.gateOf(inside).ifPresent(gate -> {
            if (failure != null || answer.hasRefusalStatus()) {
                gate.refuseAhead();
            }
            gate.assumeBegun();
        });
        if (failure == null) {
            return Mono.fromCallable(() -> exchange.complete(answer.answer()))
                    .subscribeOn(blocking)
                    .flatMap(ending -> send(
                            ending,
                            new IllegalStateException(
                                    "The handler threw nothing, so there is no exception to rethrow.")));
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
