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
 * The way to the client of an answer that is not held back. It takes what the handler writes no faster than the client reads; once the
 * client is gone it takes everything and drops it, because the handler goes on.
 */
final class StreamingResponseSink {

    /** When the client may have the last piece that was written. */
    enum LastChunkTiming {
        /** As soon as it is written: nobody knows from it where the answer ends. */
        AT_ONCE,
        /** Not before the end: whoever counts the bytes would take the request for done before it is stored. */
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

    /** @param write what writes the pieces to the client */
    void open(Function<Flux<DataBuffer>, Mono<Void>> write, ContextView context) {
        var all = pieces.asFlux().doOnRequest(this::asked).doOnCancel(this::clientGone);
        // A response that was committed meanwhile takes nothing, and says that all is well.
        write.apply(all).contextWrite(context).subscribe(nothing -> {}, failure -> clientGone(), this::clientGone);
    }

    /** Completes when the client wants more. */
    Mono<Void> write(byte[] bytes) {
        if (when == LastChunkTiming.AT_ONCE) {
            return give(bytes);
        }
        byte[] before = last;
        last = bytes;
        return before == null ? Mono.empty() : give(before);
    }

    /** The end: completes when all is sent, or the client is gone. */
    Mono<Void> end() {
        byte[] rest = last;
        if (rest != null) {
            pieces.tryEmitNext(buffers.wrap(rest));
        }
        pieces.tryEmitComplete();
        return sent.asMono();
    }

    /** The handler failed in the middle: the client sees its connection end. */
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

    /** Nobody reads any more. */
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
