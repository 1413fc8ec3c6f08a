package dev.refrain.spring.webflux;

import dev.refrain.Refrain;
import dev.refrain.api.Claim;
import dev.refrain.http.edge.FlowExchange;
import dev.refrain.http.edge.KeyStatusEndpoint;
import dev.refrain.http.edge.LeasedExchange;
import dev.refrain.http.edge.RefrainEndpointPaths;
import dev.refrain.http.edge.RefrainEndpoints;
import dev.refrain.http.edge.RequestDecision;
import dev.refrain.http.edge.RequestHead;
import dev.refrain.http.edge.RequestStep;
import dev.refrain.http.edge.TransactionalExchange;
import java.util.List;
import java.util.Optional;
import org.springframework.core.Ordered;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

/**
 * Protects the handlers of a WebFlux application. It stands behind whatever authenticates and authorises, in front of the handlers. What
 * asks the store runs on virtual threads, never on an event loop.
 *
 * <p>Handlers run leased. The claim is in the exchange's attributes ({@link #claim(ServerWebExchange)}) and in the Reactor context
 * ({@link #claim()}). {@link dev.refrain.api.CurrentClaim} is bound to a thread: it holds while the handler's method is called and for
 * what it does on that thread; behind an operator that moves work to another thread it is empty, and the Reactor context holds.
 *
 * <p>Of the refusals that come before the work it sees its own: a key that is missing or malformed (400), an unknown caller (401), a body
 * over the limit (413); Spring's of a request that no handler takes (404, 405, 406, 415); and those of an argument that cannot be made of
 * it (400, 415), unless it is a {@code Mono}, or an {@code @ExceptionHandler} makes an answer of it. None of them consumes a key.
 *
 * <p>An error that says its status, a {@code ResponseStatusException} say, is an answer like any other. Any other error that leaves the
 * handler is a failure; an {@code @ExceptionHandler} makes an answer of it before it leaves.
 */
public final class RefrainWebFilter implements WebFilter, Ordered {

    /** The exchange's attribute with the {@link Claim} under which the handler runs. */
    public static final String CLAIM = Claim.class.getName();

    private final WebFluxRouteFinder handlers;
    private final ReactiveScopeResolver scopes;
    private final ReactiveErrorHandler errors;
    private final ServerCodecConfigurer codecs;
    private final RefrainEndpoints endpoints;
    private final int order;
    private final Scheduler blocking = Schedulers.fromExecutor(
            task -> Thread.ofVirtual().name("refrain-webflux").start(task));

    RefrainWebFilter(
            Refrain refrain,
            WebFluxRouteFinder handlers,
            ReactiveScopeResolver scopes,
            ReactiveErrorHandler errors,
            ServerCodecConfigurer codecs,
            RefrainEndpointPaths places,
            int order) {
        this.handlers = handlers;
        this.scopes = scopes;
        this.errors = errors;
        this.codecs = codecs;
        this.endpoints = new RefrainEndpoints(
                places,
                new KeyStatusEndpoint(refrain, places),
                () -> handlers.contract().html(),
                () -> handlers.contract().json());
        this.order = order;
    }

    /** The claim under which this exchange's handler runs; empty if it is not protected. */
    public static Optional<Claim> claim(ServerWebExchange exchange) {
        return Optional.ofNullable(exchange.getAttribute(CLAIM));
    }

    /** The claim under which whoever subscribes to this works; empty if there is none. */
    public static Mono<Claim> claim() {
        return Mono.deferContextual(context -> Mono.justOrEmpty(context.<Claim>getOrEmpty(Claim.class)));
    }

    @Override
    public int getOrder() {
        return order;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return Mono.defer(() -> Mono.justOrEmpty(endpoints.find(
                        exchange.getRequest().getMethod().name(),
                        endpoints.paths().resolve(WebFluxRouteFinder.pathOf(exchange)))))
                .switchIfEmpty(Mono.defer(() -> handlers.find(exchange).map(route -> route.begin(head(exchange)))))
                .switchIfEmpty(Mono.fromSupplier(RequestDecision.PassThrough::unprotected))
                .flatMap(first -> take(first, new WalkedExchange(exchange, chain, Optional.empty())));
    }

    /**
     * An exchange on its walk.
     *
     * @param body what was read of it, all of it to be read again
     */
    private record WalkedExchange(ServerWebExchange exchange, WebFilterChain chain, Optional<Flux<DataBuffer>> body) {
        WalkedExchange withBody(Flux<DataBuffer> read) {
            return new WalkedExchange(exchange, chain, Optional.of(read));
        }

        ServerWebExchange inside(ServerHttpResponse response, ServerCodecConfigurer codecs) {
            return body.<ServerWebExchange>map(read -> new BufferedWebExchange(exchange, read, response, codecs))
                    .orElse(exchange);
        }
    }

    private Mono<Void> take(RequestStep step, WalkedExchange walked) {
        return switch (step) {
            case RequestStep.ResolveScope scope ->
                scopes.scopeOf(walked.exchange())
                        .map(scope::known)
                        .switchIfEmpty(Mono.fromSupplier(scope::unknown))
                        .flatMap(next -> take(next, walked));
            case RequestStep.ReadBody body ->
                ReactiveBodyReader.read(walked.exchange(), body.maxBytes()).flatMap(read -> read(body, read, walked));
            case RequestStep.AskStore store -> ask(store, walked);
            case RequestDecision decision -> Mono.deferContextual(context -> run(decision, walked, context));
        };
    }

    private Mono<Void> read(RequestStep.ReadBody step, ReactiveRequestBody body, WalkedExchange walked) {
        var buffers = walked.exchange().getResponse().bufferFactory();
        return switch (body) {
            case ReactiveRequestBody.Whole whole ->
                take(
                        step.whole(whole.payload()),
                        walked.withBody(
                                BufferedWebExchange.again(whole.payload().bytes(), buffers)));
            case ReactiveRequestBody.TooLarge large -> take(step.tooLarge(), walked.withBody(large.unread()));
        };
    }

    /** From here on a client that hangs up changes nothing: what is claimed is run, whoever waits for it. */
    private Mono<Void> ask(RequestStep.AskStore store, WalkedExchange walked) {
        return Mono.deferContextual(context -> {
            var next = Sinks.<Mono<Void>>one();
            blocking.schedule(() -> {
                try {
                    next.tryEmitValue(run(store.ask(), walked, context));
                } catch (RuntimeException | Error failure) {
                    next.tryEmitError(failure);
                }
            });
            return next.asMono().flatMap(then -> then);
        });
    }

    private Mono<Void> run(RequestDecision decision, WalkedExchange walked, ContextView context) {
        var response = walked.exchange().getResponse();
        return switch (decision) {
            case RequestDecision.PassThrough free -> walked.chain().filter(walked.inside(response, codecs));
            case RequestDecision.ImmediateResponse answered -> ReactiveResponseSender.send(response, answered.reply());
            case LeasedExchange claimed -> run(claimed, walked, context);
            case TransactionalExchange never ->
                throw new IllegalStateException("Transactional handlers are refused at the start.");
            case FlowExchange never -> throw new IllegalStateException("Flows are refused at the start.");
        };
    }

    private Mono<Void> run(LeasedExchange claimed, WalkedExchange walked, ContextView context) {
        var exchange = walked.exchange();
        try {
            exchange.getAttributes().put(CLAIM, claimed.claim());
            claimed.extraHeaders()
                    .forEach(header -> exchange.getResponse().getHeaders().set(header.name(), header.value()));
            var answer = new CapturedReactiveResponse(
                    exchange.getResponse(), claimed.policy().replay().maxBytes(), claimed.claim()::keepStateOnly);
            var inside = walked.inside(answer, codecs);
            return new LeasedReactiveExchange(claimed, inside, answer, errors, blocking).start(walked.chain(), context);
        } catch (RuntimeException | Error failure) {
            if (!claimed.hasEnded()) {
                claimed.fail(failure);
            }
            throw failure;
        }
    }

    private static RequestHead head(ServerWebExchange exchange) {
        var request = exchange.getRequest();
        return new RequestHead(
                request.getMethod().name(),
                request.getURI().getRawPath(),
                Optional.ofNullable(request.getURI().getRawQuery()).orElse(""),
                Optional.ofNullable(request.getHeaders().getFirst("Content-Type"))
                        .orElse(""),
                name -> Optional.ofNullable(request.getHeaders().get(name)).orElse(List.of()));
    }
}
