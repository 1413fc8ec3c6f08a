package dev.refrain.spring.webflux;

import dev.refrain.api.Outcome;
import dev.refrain.api.OutcomeHeader;
import dev.refrain.api.Payload;
import dev.refrain.http.edge.EdgeResponse;
import dev.refrain.http.edge.ResponseBodyRules;
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
 * A response that is held back, head and body; the real one is not touched before this is sent. To the handler it looks as any response
 * does: it is committed with its first byte, and what a committed response ignores or refuses is ignored or refused here.
 */
final class CapturedReactiveResponse extends ServerHttpResponseDecorator {

    private enum State {
        OPEN,
        COMMITTING,
        COMMITTED
    }

    /** How the real response is written to, if this is not held back. */
    private interface ResponseWriter extends Function<Flux<DataBuffer>, Mono<Void>> {}

    private final ServerHttpResponse real;
    private final int limit;
    private final Consumer<String> notKept;
    private final HttpHeaders before;
    private final HttpHeaders headers;
    private final MultiValueMap<String, ResponseCookie> cookies;
    private final List<Supplier<? extends Mono<Void>>> beforeCommit = new CopyOnWriteArrayList<>();
    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);
    private final ByteArrayOutputStream held = new ByteArrayOutputStream(1024);
    private volatile @Nullable HttpStatusCode status;
    private volatile @Nullable StreamingResponseSink passage;

    /**
     * @param limit a larger body passes through
     * @param notKept told once, before an answer passes
     */
    CapturedReactiveResponse(ServerHttpResponse real, int limit, Consumer<String> notKept) {
        super(real);
        this.real = real;
        this.limit = limit;
        this.notKept = notKept;
        this.before = HttpHeaders.copyOf(real.getHeaders());
        this.headers = HttpHeaders.copyOf(real.getHeaders());
        this.cookies = new LinkedMultiValueMap<>(real.getCookies()).deepCopy();
        this.status = real.getStatusCode();
    }

    /** What the handler answered. */
    Outcome.Answer answer() {
        return new Outcome.Answer(
                statusOrOk(), handlersHeaders(), Payload.of(passage == null ? held.toByteArray() : new byte[0]));
    }

    /** Sends what was held back. */
    Mono<Void> send() {
        return Mono.defer(() -> {
            var way = passage;
            if (way != null) {
                return way.end();
            }
            writeHead();
            return ReactiveResponseSender.sendBody(real, statusOrOk(), held.toByteArray());
        });
    }

    /** Sends something else. A client that has a part of this already sees its connection end, and does not take it for the whole. */
    Mono<Void> sendInstead(EdgeResponse reply) {
        return Mono.defer(() -> {
            if (passage == null) {
                return ReactiveResponseSender.send(real, reply);
            }
            var broken = new IOException("The answer is broken off: what is stored is not what was being sent.");
            discard(broken);
            return Mono.error(broken);
        });
    }

    /** Nothing of this is sent, or nothing more. */
    void discard(Throwable failure) {
        Optional.ofNullable(passage).ifPresent(way -> way.abort(failure));
    }

    /** Those that the handler set or changed; what others had set before it is theirs to set again. */
    private List<OutcomeHeader> handlersHeaders() {
        var own = new ArrayList<OutcomeHeader>();
        headers.forEach((name, values) -> {
            if (!values.equals(before.get(name))) {
                values.forEach(value -> own.add(new OutcomeHeader(name, value)));
            }
        });
        return own;
    }

    private void writeHead() {
        real.setStatusCode(HttpStatusCode.valueOf(statusOrOk()));
        before.headerNames().forEach(real.getHeaders()::remove);
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

    /** An error before the first byte leaves the answer open, for another one to be written. */
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
            held.writeBytes(bytes);
            return Mono.empty();
        });
    }

    /** Whether the client was not answered before: a filter in front may do so at any moment, because this takes too long. */
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

    /** From now on what is written goes to the client at once. */
    private void pass(ResponseWriter write, ContextView context) {
        notKept.accept("It is larger than " + limit + " bytes, or a stream.");
        var way = new StreamingResponseSink(
                real.bufferFactory(),
                headers.getContentLength() >= 0
                        ? StreamingResponseSink.LastChunkTiming.AT_THE_END
                        : StreamingResponseSink.LastChunkTiming.AT_ONCE);
        passage = way;
        if (headGoesOut()) {
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
            throw new IllegalStateException("A cookie was added after the answer was committed: " + cookie.getName());
        }
        cookies.add(cookie.getName(), cookie);
    }
}
