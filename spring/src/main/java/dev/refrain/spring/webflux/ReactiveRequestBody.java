package dev.refrain.spring.webflux;

import dev.refrain.api.Payload;
import dev.refrain.http.edge.BufferReservation;
import dev.refrain.http.internal.body.BodyBuffer;
import org.reactivestreams.Subscription;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.server.reactive.ServerHttpRequest;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Request body, read up to a limit. */
sealed interface ReactiveRequestBody {

    /** The complete body. */
    record Whole(Payload payload) implements ReactiveRequestBody {
        static Whole of(byte[] bytes) {
            return new Whole(Payload.of(bytes));
        }
    }

    /**
     * A body larger than the limit.
     *
     * @param unread the whole body from its first byte; can be read once
     */
    record TooLarge(Flux<DataBuffer> unread) implements ReactiveRequestBody {}

    /**
     * A body for which there is no memory.
     *
     * @param unread the whole body from its first byte; can be read once
     */
    record NoMemory(Flux<DataBuffer> unread) implements ReactiveRequestBody {}

    static Mono<ReactiveRequestBody> read(
            ServerHttpRequest request, int limit, DataBufferFactory buffers, BufferReservation memory) {
        return Mono.defer(() -> {
            var held = BodyBuffer.ofRequest(memory, limit);
            return switch (held.expect(request.getHeaders().getContentLength())) {
                case TOO_LARGE -> Mono.just(new TooLarge(request.getBody()));
                case NO_MEMORY -> Mono.just(new NoMemory(request.getBody()));
                case BUFFERED -> {
                    var reading = new BodySubscriber(held, buffers);
                    request.getBody().subscribe(reading);
                    yield reading.read.asMono().doOnCancel(reading::cancel);
                }
            };
        });
    }

    /** Buffers the body. Above the limit, or without memory, it leaves the rest unread for the next subscriber. */
    final class BodySubscriber extends BaseSubscriber<DataBuffer> {
        private final BodyBuffer held;
        private final DataBufferFactory buffers;
        private final Sinks.One<ReactiveRequestBody> read = Sinks.one();
        private final Sinks.Many<DataBuffer> rest = Sinks.many().unicast().onBackpressureBuffer();
        private boolean passing;

        BodySubscriber(BodyBuffer held, DataBufferFactory buffers) {
            this.held = held;
            this.buffers = buffers;
        }

        @Override
        protected void hookOnSubscribe(Subscription subscription) {
            request(1);
        }

        @Override
        protected void hookOnNext(DataBuffer buffer) {
            if (passing) {
                if (rest.tryEmitNext(buffer).isFailure()) {
                    DataBufferUtils.release(buffer);
                }
                return;
            }
            byte[] bytes = ReactiveBodyReader.bytes(buffer);
            var result = held.append(bytes, 0, bytes.length);
            if (result == BodyBuffer.BufferResult.BUFFERED) {
                request(1);
                return;
            }
            passing = true;
            var unread = Flux.concat(
                    Mono.fromSupplier(() -> buffers.wrap(held.payload().bytes())),
                    rest.asFlux().doOnRequest(this::request).doOnCancel(this::cancel));
            read.tryEmitValue(
                    result == BodyBuffer.BufferResult.TOO_LARGE ? new TooLarge(unread) : new NoMemory(unread));
        }

        @Override
        protected void hookOnComplete() {
            if (passing) {
                rest.tryEmitComplete();
            } else {
                read.tryEmitValue(new Whole(held.payload()));
            }
        }

        @Override
        protected void hookOnError(Throwable failure) {
            if (passing) {
                rest.tryEmitError(failure);
            } else {
                read.tryEmitError(failure);
            }
        }
    }
}
