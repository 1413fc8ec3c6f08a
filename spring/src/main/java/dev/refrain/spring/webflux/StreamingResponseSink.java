package dev.refrain.spring.webflux;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.publisher.Sinks;
import reactor.util.context.ContextView;

/**
 * Streams a response that is not held back to the client. It accepts writes only as fast as the client reads; once the client has
 * disconnected it accepts and drops everything, so that the handler can go on.
 */
final class StreamingResponseSink {

    /** Time at which the client may receive the last chunk. */
    enum LastChunkTiming {
        /** At once: the chunk does not reveal where the response ends. */
        AT_ONCE,
        /** At the end: a client that counts bytes would take the request for done before its outcome is stored. */
        AT_THE_END
    }

    private final Sinks.Many<DataBuffer> pieces = Sinks.many().unicast().onBackpressureBuffer();
    private final Sinks.Empty<Void> sent = Sinks.empty();
    private final DataBufferFactory buffers;
    private final LastChunkTiming when;
    private byte @Nullable [] last;
    private long demand;
    private boolean gone;
    private Sinks.@Nullable Empty<Void> waiting;

    StreamingResponseSink(DataBufferFactory buffers, LastChunkTiming when) {
        this.buffers = buffers;
        this.when = when;
    }

    /**
     * Starts streaming.
     *
     * @param write writes the chunks to the client
     */
    void open(Function<Flux<DataBuffer>, Mono<Void>> write, ContextView context) {
        var all = pieces.asFlux().doOnRequest(this::asked).doOnCancel(this::clientGone);
        // A response that was committed meanwhile writes nothing and completes normally.
        write.apply(all).contextWrite(context).subscribe(nothing -> {}, failure -> clientGone(), this::clientGone);
    }

    /** Writes bytes; completes when the client wants more. */
    Mono<Void> write(byte[] bytes) {
        if (when == LastChunkTiming.AT_ONCE) {
            return give(bytes);
        }
        byte[] before = last;
        last = bytes;
        return before == null ? Mono.empty() : give(before);
    }

    /** Ends the response; completes when everything is sent or the client is gone. */
    Mono<Void> end() {
        byte[] rest = last;
        if (rest != null) {
            pieces.tryEmitNext(buffers.wrap(rest));
        }
        pieces.tryEmitComplete();
        return sent.asMono();
    }

    /** Aborts after the handler failed midway: the client sees the connection end. */
    void abort(Throwable failure) {
        pieces.tryEmitError(failure);
    }

    private Mono<Void> give(byte[] bytes) {
        Mono<Void> more;
        synchronized (this) {
            if (gone) {
                return Mono.empty();
            }
            demand--;
            if (demand > 0) {
                more = Mono.empty();
            } else {
                var wait = Sinks.<Void>empty();
                waiting = wait;
                more = wait.asMono();
            }
        }
        pieces.tryEmitNext(buffers.wrap(bytes));
        return more;
    }

    private void asked(long count) {
        Sinks.Empty<Void> free;
        synchronized (this) {
            demand = Operators.addCap(demand, count);
            free = demand > 0 ? waiting : null;
            waiting = free == null ? waiting : null;
        }
        letGo(free);
    }

    /** Records that the client has disconnected. */
    void clientGone() {
        Sinks.Empty<Void> free;
        synchronized (this) {
            gone = true;
            free = waiting;
            waiting = null;
        }
        letGo(free);
        sent.tryEmitEmpty();
    }

    private static void letGo(Sinks.@Nullable Empty<Void> waiting) {
        if (waiting != null) {
            waiting.tryEmitEmpty();
        }
    }
}
