package dev.refrain.spring.webflux;

import dev.refrain.api.AnswerHeader;
import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import dev.refrain.http.edge.BufferReservation;
import dev.refrain.http.edge.EdgeResponse;
import dev.refrain.http.internal.body.ResponseBodyRules;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseCookie;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.util.CollectionUtils;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Response whose head and body are held back; the real response is untouched until this one is sent. To the handler it behaves
 * like any response: its first byte commits it, and calls that a committed response ignores or rejects are ignored or rejected
 * here.
 */
final class CapturedReactiveResponse extends ServerHttpResponseDecorator {

    private static final int REDIRECTS_AND_REFUSALS = 300;

    private enum State {
        OPEN,
        COMMITTING,
        COMMITTED
    }

    /** Writes to the real response once this one is streamed. */
    private interface ResponseWriter extends Function<Flux<DataBuffer>, Mono<Void>> {}

    private final ServerHttpResponse real;
    private final int limit;
    private final BufferReservation memory;
    private final Consumer<String> notKept;
    private final HttpHeaders before;
    private final HttpHeaders headers;
    private final MultiValueMap<String, ResponseCookie> cookies;
    private final List<Supplier<? extends Mono<Void>>> beforeCommit = new CopyOnWriteArrayList<>();
    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);
    private final ByteArrayOutputStream held = new ByteArrayOutputStream(1024);
    private volatile @Nullable HttpStatusCode status;
    private volatile @Nullable Payload whole;
    private volatile @Nullable StreamingResponseSink passage;

    /** Response that goes to the client: decided once. */
    private enum ClientResponse {
        UNDECIDED,
        HANDLERS,
        EARLY
    }

    private final AtomicReference<ClientResponse> toClient = new AtomicReference<>(ClientResponse.UNDECIDED);

    /**
     * Captures a response.
     *
     * @param limit the largest held body; a larger one is streamed
     * @param memory counts what is held, and never refuses it: the handler has it already
     * @param notKept called once, with the reason, before the response is streamed
     */
    CapturedReactiveResponse(ServerHttpResponse real, int limit, BufferReservation memory, Consumer<String> notKept) {
        super(real);
        this.memory = memory;
        this.real = real;
        this.limit = limit;
        this.notKept = notKept;
        this.before = copyOf(real.getHeaders());
        this.headers = copyOf(real.getHeaders());
        this.cookies = new LinkedMultiValueMap<>(real.getCookies()).deepCopy();
        this.status = real.getStatusCode();
    }

    /** Returns the handler's response. */
    Outcome.Answer answer() {
        return new Outcome.Answer(statusOrOk(), handlersHeaders(), passage == null ? whole() : Payload.of(new byte[0]));
    }

    /** Returns true for redirects and errors: a response with a success status is never a rejection. */
    boolean hasRefusalStatus() {
        return statusOrOk() >= REDIRECTS_AND_REFUSALS;
    }

    /** Returns the held body, which is complete. */
    private Payload whole() {
        var body = whole;
        if (body == null || body.size() != held.size()) {
            memory.count(held.size());
            body = Payload.of(held.toByteArray());
            whole = body;
        }
        return body;
    }

    /**
     * Decides that the client gets another response while the handler still runs; returns false if the handler's one is under way.
     * What the handler writes from then on is only captured.
     */
    boolean replaceEarly() {
        return toClient.compareAndSet(ClientResponse.UNDECIDED, ClientResponse.EARLY);
    }

    /** Returns true if the client gets another response than that of the handler, which still ran. */
    boolean isReplacedEarly() {
        return toClient.get() == ClientResponse.EARLY;
    }

    /** Sends the response for which {@link #replaceEarly} has decided. */
    Mono<Void> sendEarly(EdgeResponse reply) {
        return ReactiveResponseSender.send(real, reply);
    }

    private boolean isHandlers() {
        return toClient.compareAndSet(ClientResponse.UNDECIDED, ClientResponse.HANDLERS)
                || toClient.get() == ClientResponse.HANDLERS;
    }

    /** Sends the held response, unless the client got another one early. */
    Mono<Void> send() {
        return Mono.defer(() -> {
            if (!isHandlers()) {
                return Mono.empty();
            }
            var way = passage;
            if (way != null) {
                return way.end();
            }
            writeHead();
            return ReactiveResponseSender.sendBody(real, statusOrOk(), whole().bytes());
        });
    }

    /**
     * Sends another response. A client that already has a part of this one sees the connection end and does not take it for
     * complete.
     */
    Mono<Void> sendInstead(EdgeResponse reply) {
        return Mono.defer(() -> {
            if (!isHandlers()) {
                return Mono.empty();
            }
            if (passage == null) {
                return ReactiveResponseSender.send(real, reply);
            }
            var broken = new IOException(
                    "Aborted the response: the stored outcome differs from the response that was being streamed.");
            discard(broken);
            return Mono.error(broken);
        });
    }

    /** Discards the rest of the response. */
    void discard(Throwable failure) {
        Optional.ofNullable(passage).ifPresent(way -> way.abort(failure));
    }

    /** Returns the headers that the handler set or changed; earlier filters set theirs again on a replay. */
    private List<AnswerHeader> handlersHeaders() {
        var own = new ArrayList<AnswerHeader>();
        headers.forEach((name, values) -> {
            if (!values.equals(before.get(name))) {
                values.forEach(value -> own.add(new AnswerHeader(name, value)));
            }
        });
        return own;
    }

    private static HttpHeaders copyOf(HttpHeaders original) {
        var copy = new HttpHeaders();
        original.forEach((name, values) -> copy.put(name, new ArrayList<>(values)));
        return copy;
    }

    private void writeHead() {
        real.setStatusCode(HttpStatusCode.valueOf(statusOrOk()));
        before.forEach((name, values) -> real.getHeaders().remove(name));
        headers.forEach((name, values) -> real.getHeaders().put(name, new ArrayList<>(values)));
        real.getCookies().putAll(cookies);
    }

    private int statusOrOk() {
        var said = status;
        return said == null ? 200 : said.value();
    }

    @Override
    public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
        return hold(Flux.from(body), real::writeWith);
    }

    @Override
    public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
        return hold(
                Flux.from(body).concatMap(Function.identity(), 1),
                pieces -> real.writeAndFlushWith(pieces.map(Mono::just)));
    }

    @Override
    public Mono<Void> setComplete() {
        return isCommitted() ? Mono.empty() : commit(real::writeWith);
    }

    /** Holds a body back. An error before the first byte leaves the response uncommitted, so that another one can be written. */
    private Mono<Void> hold(Flux<? extends DataBuffer> body, ResponseWriter write) {
        if (isCommitted()) {
            return Mono.empty();
        }
        return Flux.<DataBuffer>from(body)
                .switchOnFirst(
                        (first, all) -> first.isOnError() ? all : commit(write).thenMany(all))
                .concatMap(buffer -> take(ReactiveBodyReader.bytes(buffer), write), 1)
                .then()
                .doOnError(failure -> {
                    if (!isCommitted()) {
                        headers.clearContentHeaders();
                    }
                });
    }

    private Mono<Void> commit(ResponseWriter write) {
        return Mono.deferContextual(context -> {
            if (!state.compareAndSet(State.OPEN, State.COMMITTING)) {
                return Mono.empty();
            }
            return Flux.fromIterable(beforeCommit)
                    .concatMap(Supplier::get)
                    .doOnError(failure -> {
                        beforeCommit.clear();
                        state.set(State.OPEN);
                    })
                    .then(Mono.fromRunnable(() -> {
                        state.set(State.COMMITTED);
                        if (ResponseBodyRules.isStream(Optional.ofNullable(headers.getFirst("Content-Type"))
                                .orElse(""))) {
                            pass(write, context);
                        }
                    }));
        });
    }

    private Mono<Void> take(byte[] bytes, ResponseWriter write) {
        return Mono.deferContextual(context -> {
            if (passage == null && held.size() + (long) bytes.length > limit) {
                pass(write, context);
            }
            var way = passage;
            if (way != null) {
                return way.write(bytes);
            }
            memory.count(bytes.length);
            held.writeBytes(bytes);
            return Mono.empty();
        });
    }

    /**
     * Writes the head; returns false if the client was already answered, which an earlier filter may do at any time, for example
     * on a time-out.
     */
    private boolean headGoesOut() {
        if (real.isCommitted()) {
            return false;
        }
        try {
            writeHead();
            return true;
        } catch (UnsupportedOperationException justCommitted) {
            return false;
        }
    }

    /** Streams all further bytes to the client at once. */
    private void pass(ResponseWriter write, ContextView context) {
        notKept.accept("The response is larger than " + limit + " bytes, or is a stream.");
        var way = new StreamingResponseSink(
                real.bufferFactory(),
                headers.getContentLength() >= 0
                        ? StreamingResponseSink.LastChunkTiming.AT_THE_END
                        : StreamingResponseSink.LastChunkTiming.AT_ONCE);
        passage = way;
        if (isHandlers() && headGoesOut()) {
            way.open(write, context);
        } else {
            way.clientGone();
        }
        if (held.size() > 0) {
            way.write(held.toByteArray()).subscribe();
            held.reset();
        }
    }

    @Override
    public boolean isCommitted() {
        return state.get() != State.OPEN;
    }

    @Override
    public void beforeCommit(Supplier<? extends Mono<Void>> action) {
        beforeCommit.add(action);
    }

    @Override
    public boolean setStatusCode(@Nullable HttpStatusCode other) {
        if (state.get() == State.COMMITTED) {
            return false;
        }
        status = other;
        return true;
    }

    @Override
    public boolean setRawStatusCode(@Nullable Integer other) {
        return setStatusCode(other == null ? null : HttpStatusCode.valueOf(other));
    }

    @Override
    public @Nullable HttpStatusCode getStatusCode() {
        return status;
    }

    @Override
    public HttpHeaders getHeaders() {
        return state.get() == State.COMMITTED ? HttpHeaders.readOnlyHttpHeaders(headers) : headers;
    }

    @Override
    public MultiValueMap<String, ResponseCookie> getCookies() {
        return state.get() == State.COMMITTED ? CollectionUtils.unmodifiableMultiValueMap(cookies) : cookies;
    }

    @Override
    public void addCookie(ResponseCookie cookie) {
        if (state.get() == State.COMMITTED) {
            throw new IllegalStateException("A cookie was added after the response was committed: " + cookie.getName());
        }
        cookies.add(cookie.getName(), cookie);
    }
}
