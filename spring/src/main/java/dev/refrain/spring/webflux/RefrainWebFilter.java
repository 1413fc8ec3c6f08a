package dev.refrain.spring.webflux;

import dev.refrain.Refrain;
import dev.refrain.api.Claim;
import dev.refrain.api.Payload;
import dev.refrain.http.edge.EdgeRequest;
import dev.refrain.http.edge.EdgeResponse;
import dev.refrain.http.edge.FlowExchange;
import dev.refrain.http.edge.KeyStatusEndpoint;
import dev.refrain.http.edge.LeasedExchange;
import dev.refrain.http.edge.RefrainEndpointPaths;
import dev.refrain.http.edge.RequestDecision;
import dev.refrain.http.edge.RouteProtection;
import dev.refrain.http.edge.TransactionalExchange;
import java.util.List;
import java.util.Optional;
import org.springframework.core.Ordered;
import org.springframework.http.HttpMethod;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
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
    private final RefrainEndpointPaths places;
    private final KeyStatusEndpoint status;
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
        this.places = places;
        this.status = new KeyStatusEndpoint(refrain, places);
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
        return optional(own(exchange))
                .flatMap(reply -> reply.isPresent()
                        ? ReactiveResponseSender.send(exchange.getResponse(), reply.get())
                        : optional(handlers.find(exchange))
                                .flatMap(protection -> protection.isPresent()
                                        ? protect(protection.get(), exchange, chain)
                                        : chain.filter(exchange)));
    }

    /** What Refrain itself serves. */
    private Mono<EdgeResponse> own(ServerWebExchange exchange) {
        String path = places.resolve(WebFluxRouteFinder.pathOf(exchange));
        if (!places.contains(path)
                || !HttpMethod.GET.equals(exchange.getRequest().getMethod())) {
            return Mono.empty();
        }
        if (path.equals(places.contract())) {
            return Mono.fromSupplier(() -> handlers.contract().html());
        }
        if (path.equals(places.contractJson())) {
            return Mono.fromSupplier(() -> handlers.contract().json());
        }
        return Mono.justOrEmpty(places.keyFromPath(path))
                .flatMap(key -> scopes.scopeOf(exchange)
                        .flatMap(scope -> Mono.fromSupplier(() -> status.statusOf(scope, key))
                                .subscribeOn(blocking)));
    }

    private Mono<Void> protect(RouteProtection protection, ServerWebExchange exchange, WebFilterChain chain) {
        if (protection.bypassesByHeaders(asked(exchange, "", new byte[0]))) {
            return chain.filter(exchange);
        }
        return optional(scopes.scopeOf(exchange)).flatMap(scope -> {
            if (scope.isEmpty() && protection.observes()) {
                return chain.filter(exchange);
            }
            if (scope.isEmpty()) {
                return ReactiveResponseSender.send(exchange.getResponse(), protection.unknownCallerResponse());
            }
            var refused = protection.refuseByHeaders(asked(exchange, scope.get(), new byte[0]));
            if (refused.isPresent()) {
                return ReactiveResponseSender.send(exchange.getResponse(), refused.get());
            }
            return ReactiveBodyReader.read(
                            exchange, protection.policy().request().maxBytes())
                    .flatMap(body -> switch (body) {
                        case ReactiveRequestBody.Whole whole ->
                            enter(
                                    protection,
                                    exchange,
                                    chain,
                                    scope.get(),
                                    whole.payload().bytes());
                        case ReactiveRequestBody.TooLarge large -> tooLarge(protection, exchange, chain, large);
                    });
        });
    }

    /** To observe refuses nothing. */
    private Mono<Void> tooLarge(
            RouteProtection protection,
            ServerWebExchange exchange,
            WebFilterChain chain,
            ReactiveRequestBody.TooLarge body) {
        return protection.observes()
                ? chain.filter(new BufferedWebExchange(exchange, body.unread(), exchange.getResponse(), codecs))
                : ReactiveResponseSender.send(exchange.getResponse(), protection.tooLargeResponse());
    }

    /** From here on a client that hangs up changes nothing: what is claimed is run, whoever waits for it. */
    private Mono<Void> enter(
            RouteProtection protection, ServerWebExchange exchange, WebFilterChain chain, String scope, byte[] body) {
        return Mono.deferContextual(context -> {
            var next = Sinks.<Mono<Void>>one();
            blocking.schedule(() -> {
                try {
                    var entrance = protection.decide(asked(exchange, scope, body));
                    next.tryEmitValue(entered(entrance, exchange, chain, body, context));
                } catch (RuntimeException | Error failure) {
                    next.tryEmitError(failure);
                }
            });
            return next.asMono().flatMap(then -> then);
        });
    }

    private Mono<Void> entered(
            RequestDecision entrance,
            ServerWebExchange exchange,
            WebFilterChain chain,
            byte[] body,
            ContextView context) {
        return switch (entrance) {
            case RequestDecision.PassThrough free ->
                chain.filter(new BufferedWebExchange(exchange, body, exchange.getResponse(), codecs));
            case RequestDecision.ImmediateResponse answered ->
                ReactiveResponseSender.send(exchange.getResponse(), answered.reply());
            case LeasedExchange claimed -> run(claimed, exchange, chain, body, context);
            case TransactionalExchange never ->
                throw new IllegalStateException("Transactional handlers are refused at the start.");
            case FlowExchange never -> throw new IllegalStateException("Flows are refused at the start.");
        };
    }

    private Mono<Void> run(
            LeasedExchange claimed,
            ServerWebExchange exchange,
            WebFilterChain chain,
            byte[] body,
            ContextView context) {
        try {
            exchange.getAttributes().put(CLAIM, claimed.claim());
            claimed.extraHeaders()
                    .forEach(header -> exchange.getResponse().getHeaders().set(header.name(), header.value()));
            var answer = new CapturedReactiveResponse(
                    exchange.getResponse(), claimed.policy().replay().maxBytes(), claimed.claim()::keepStateOnly);
            var inside = new BufferedWebExchange(exchange, body, answer, codecs);
            return new LeasedReactiveExchange(claimed, inside, answer, errors, blocking).start(chain, context);
        } catch (RuntimeException | Error failure) {
            if (!claimed.hasEnded()) {
                claimed.fail(failure);
            }
            throw failure;
        }
    }

    private static EdgeRequest asked(ServerWebExchange exchange, String scope, byte[] body) {
        var request = exchange.getRequest();
        return new EdgeRequest(
                request.getMethod().name(),
                request.getURI().getRawPath(),
                Optional.ofNullable(request.getURI().getRawQuery()).orElse(""),
                Optional.ofNullable(request.getHeaders().getFirst("Content-Type"))
                        .orElse(""),
                name -> Optional.ofNullable(request.getHeaders().get(name)).orElse(List.of()),
                Payload.of(body),
                scope,
                Optional.empty());
    }

    private static <T> Mono<Optional<T>> optional(Mono<T> some) {
        return some.map(Optional::of).defaultIfEmpty(Optional.empty());
    }
}
