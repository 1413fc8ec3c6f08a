package dev.refrain.spring.webflux;

import dev.refrain.api.Claim;
import dev.refrain.http.edge.BufferBudget;
import dev.refrain.http.edge.BufferReservation;
import dev.refrain.http.edge.ContractAndStatusPages;
import dev.refrain.http.edge.ContractAndStatusPaths;
import dev.refrain.http.edge.FlowExchange;
import dev.refrain.http.edge.KeyStatusEndpoint;
import dev.refrain.http.edge.LeasedExchange;
import dev.refrain.http.edge.RequestDecision;
import dev.refrain.http.edge.RequestHead;
import dev.refrain.http.edge.RequestStep;
import dev.refrain.http.edge.TransactionalExchange;
import dev.refrain.http.edge.UncoveredKeyReporter;
import dev.refrain.spring.RefrainStores;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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

/**
 * Web filter that protects the handlers of a WebFlux application. It runs after authentication and authorisation and before the
 * handlers. Calls to the store run on virtual threads, never on an event loop.
 *
 * <p>Handlers run leased. The claim is in the exchange's attributes ({@link #claim(ServerWebExchange)}) and in the Reactor
 * context ({@link #claim()}). {@link dev.refrain.api.CurrentClaim} is bound to a thread: it is set while the handler method runs
 * on that thread, and empty behind an operator that switches threads; use the Reactor context there.
 *
 * <p>No key is consumed by a rejection before the handler: the filter's own for a missing or malformed key (400), an unknown
 * caller (401), a body over the limit (413) or a body for which there is no memory (503); Spring's for a request that no handler accepts (404, 405, 406, 415); Spring's for
 * an argument that cannot be resolved (400, 415), unless the argument is a {@code Mono}; and that of a later filter that responds
 * with an error or a redirect.
 *
 * <p>An error with a status, such as a {@code ResponseStatusException}, is stored like any other response. Any other error that
 * leaves the handler is a failure; an {@code @ExceptionHandler} turns it into a response before it leaves.
 */
public final class RefrainWebFilter implements WebFilter, Ordered {

    /** Exchange attribute that holds the {@link Claim} under which the handler runs. */
    public static final String CLAIM = Claim.class.getName();

    private final WebFluxRouteFinder handlers;
    private final ReactiveScopeResolver scopes;
    private final ReactiveErrorHandler errors;
    private final ServerCodecConfigurer codecs;
    private final ContractAndStatusPages endpoints;
    private final UncoveredKeyReporter uncovered;
    private final BufferBudget budget;
    private final int order;
    private final Scheduler blocking = Schedulers.fromExecutor(
            task -> Thread.ofVirtual().name("refrain-webflux").start(task));

    RefrainWebFilter(
            RefrainStores stores,
            WebFluxRouteFinder handlers,
            ReactiveScopeResolver scopes,
            ReactiveErrorHandler errors,
            ServerCodecConfigurer codecs,
            ContractAndStatusPaths places,
            BufferBudget budget,
            int order) {
        this.handlers = handlers;
        this.scopes = scopes;
        this.errors = errors;
        this.codecs = codecs;
        this.endpoints = new ContractAndStatusPages(
                places,
                stores.all().stream()
                        .map(store -> new KeyStatusEndpoint(
                                store.refrain(), store.httpNamespace(), places.ofStore(store.name())))
                        .toList(),
                () -> handlers.contract().html(),
                () -> handlers.contract().json());
        this.uncovered = new UncoveredKeyReporter(
                stores.all().getFirst().refrain(),
                "Protect its handler, or let clients send no key there.",
                () -> handlers.contract().routes());
        this.budget = budget;
        this.order = order;
    }

    /** Returns the claim under which the exchange's handler runs; empty if the exchange is not protected. */
    public static Optional<Claim> claim(ServerWebExchange exchange) {
        return Optional.ofNullable(exchange.getAttribute(CLAIM));
    }

    /** Returns the claim in the subscriber's Reactor context; empty if there is none. */
    public static Mono<Claim> claim() {
        return Mono.deferContextual(context -> Mono.justOrEmpty(context.<Claim>getOrEmpty(Claim.class)));
    }

    @Override
    public int getOrder() {
        return order;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return Mono.using(
                () -> budget.open(peerOf(exchange)),
                memory -> filter(exchange, chain, memory),
                BufferReservation::close,
                false);
    }

    private Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain, BufferReservation memory) {
        return Mono.defer(() -> Mono.justOrEmpty(endpoints.find(
                        exchange.getRequest().getMethod().name(),
                        endpoints.paths().resolve(WebFluxRouteFinder.pathOf(exchange)),
                        memory)))
                .switchIfEmpty(Mono.defer(
                        () -> handlers.find(exchange).map(route -> route.begin(head(exchange), memory))))
                .switchIfEmpty(Mono.fromSupplier(() -> uncovered.pass(head(exchange))))
                .flatMap(first -> take(first, new WalkedExchange(exchange, chain, memory, Optional.empty())));
    }

    private static String peerOf(ServerWebExchange exchange) {
        return Optional.ofNullable(exchange.getRequest().getRemoteAddress())
                .map(InetSocketAddress::getAddress)
                .map(InetAddress::getHostAddress)
                .orElse("");
    }

    /**
     * State of an exchange during its walk.
     *
     * @param memory the memory of the exchange
     * @param body the body as far as it was read, to be read again
     */
    private record WalkedExchange(
            ServerWebExchange exchange,
            WebFilterChain chain,
            BufferReservation memory,
            Optional<Flux<DataBuffer>> body) {
        WalkedExchange withBody(Flux<DataBuffer> read) {
            return new WalkedExchange(exchange, chain, memory, Optional.of(read));
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
                        .flatMap(found -> callerOf(walked.exchange())
                                .map(caller -> caller.map(name -> scope.known(found, name))
                                        .orElseGet(() -> scope.known(found))))
                        .switchIfEmpty(Mono.fromSupplier(scope::unknown))
                        .flatMap(next -> take(next, walked));
            case RequestStep.ReadBody body ->
                ReactiveBodyReader.read(walked.exchange(), body.maxBytes(), body.memory())
                        .flatMap(read -> read(body, read, walked));
            case RequestStep.AskStore store -> ask(store, walked);
            case RequestDecision decision -> run(decision, walked);
        };
    }

    /** Finds the name of the caller, only for people who look at the record: without one, or if that fails, the request goes on. */
    private static Mono<Optional<String>> callerOf(ServerWebExchange exchange) {
        return exchange.getPrincipal()
                .map(principal -> Optional.of(principal.getName()))
                .onErrorComplete()
                .defaultIfEmpty(Optional.empty());
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
            case ReactiveRequestBody.NoMemory full -> take(step.noMemory(), walked.withBody(full.unread()));
        };
    }

    /** Queries the store. From here on a disconnected client changes nothing: a claimed handler runs in any case. */
    private Mono<Void> ask(RequestStep.AskStore store, WalkedExchange walked) {
        return Mono.deferContextual(context -> {
            var next = Sinks.<Mono<Void>>one();
            var memory = walked.memory().retain();
            blocking.schedule(() -> {
                try (memory) {
                    var decision = store.ask();
                    if (decision instanceof LeasedExchange claimed) {
                        var running = prepare(claimed, walked);
                        next.tryEmitValue(running.response());
                        running.start(walked.chain(), context);
                    } else {
                        next.tryEmitValue(run(decision, walked));
                    }
                } catch (RuntimeException | Error failure) {
                    next.tryEmitError(failure);
                }
            });
            return next.asMono().flatMap(then -> then);
        });
    }

    private Mono<Void> run(RequestDecision decision, WalkedExchange walked) {
        var response = walked.exchange().getResponse();
        return switch (decision) {
            case RequestDecision.PassThrough free -> walked.chain().filter(walked.inside(response, codecs));
            case RequestDecision.ImmediateResponse answered -> ReactiveResponseSender.send(response, answered.reply());
            case LeasedExchange never ->
                throw new IllegalStateException("A handler was claimed without asking the store.");
            case TransactionalExchange never ->
                throw new IllegalStateException(
                        "A transactional handler reached WebFlux, although startup rejects them.");
            case FlowExchange never ->
                throw new IllegalStateException("A flow handler reached WebFlux, although startup rejects them.");
        };
    }

    private LeasedReactiveExchange prepare(LeasedExchange claimed, WalkedExchange walked) {
        var exchange = walked.exchange();
        try {
            exchange.getAttributes().put(CLAIM, claimed.claim());
            claimed.extraHeaders()
                    .forEach(header -> exchange.getResponse().getHeaders().set(header.name(), header.value()));
            var answer = new CapturedReactiveResponse(
                    exchange.getResponse(),
                    claimed.policy().replay().maxOutcomeBytes(),
                    walked.memory(),
                    claimed.claim()::keepStateOnly);
            var inside = walked.inside(answer, codecs);
            return new LeasedReactiveExchange(claimed, inside, answer, errors, blocking, walked.memory());
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
