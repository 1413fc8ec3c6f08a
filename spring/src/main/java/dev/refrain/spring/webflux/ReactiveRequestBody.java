package dev.refrain.spring.webflux;

import dev.refrain.api.Payload;
import java.io.ByteArrayOutputStream;
import org.reactivestreams.Subscription;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.server.reactive.ServerHttpRequest;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** The body of a request, read within a limit. */
sealed interface ReactiveRequestBody {

    /** All of it. */
    record Whole(Payload payload) implements ReactiveRequestBody {
        static Whole of(byte[] bytes) {
            return new Whole(Payload.of(bytes));
        }
    }

    /**
     * More than the limit.
     *
     * @param unread all of it from its first byte, once
     */
    record TooLarge(Flux<DataBuffer> unread) implements ReactiveRequestBody {}

    static Mono<ReactiveRequestBody> read(ServerHttpRequest request, int limit, DataBufferFactory buffers) {
        if (request.getHeaders().getContentLength() > limit) {
            return Mono.just(new TooLarge(request.getBody()));
        }
        return Mono.defer(() -> {
            var reading = new BodySubscriber(limit, buffers);
            request.getBody().subscribe(reading);
            return reading.read.asMono().doOnCancel(reading::cancel);
        });
    }

    /** Holds what was read. Once it is too much the rest is left where it is, for whoever asks for it. */
    final class BodySubscriber extends BaseSubscriber<DataBuffer> {
        private final int limit;
        private final DataBufferFactory buffers;
        private final Sinks.One<ReactiveRequestBody> read = Sinks.one();
        private final Sinks.Many<DataBuffer> rest = Sinks.many().unicast().onBackpressureBuffer();
        private final ByteArrayOutputStream held = new ByteArrayOutputStream(1024);
        private boolean tooLarge;

        BodySubscriber(int limit, DataBufferFactory buffers) {
            this.limit = limit;
            this.buffers = buffers;
        }

        @Override
        protected void hookOnSubscribe(Subscription subscription) {
            request(1);
        }

        @Override
        protected void hookOnNext(DataBuffer buffer) {
            if (tooLarge) {
                if (rest.tryEmitNext(buffer).isFailure()) {
                    DataBufferUtils.release(buffer);
                }
                return;
            }
            held.writeBytes(ReactiveBodyReader.bytes(buffer));
            if (held.size() <= limit) {
                request(1);
                return;
            }
            tooLarge = true;
            var unread = Flux.concat(
                    Mono.fromSupplier(() -> buffers.wrap(held.toByteArray())),
                    rest.asFlux().doOnRequest(this::request).doOnCancel(this::cancel));
            read.tryEmitValue(new TooLarge(unread));
        }

        @Override
        protected void hookOnComplete() {
            if (tooLarge) {
                rest.tryEmitComplete();
            } else {
                read.tryEmitValue(Whole.of(held.toByteArray()));
            }
        }

        @Override
        protected void hookOnError(Throwable failure) {
            if (tooLarge) {
                rest.tryEmitError(failure);
            } else {
                read.tryEmitError(failure);
            }
        }
    }
}
