package dev.refrain.gateway;

import dev.refrain.api.Payload;
import dev.refrain.http.edge.BufferReservation;
import dev.refrain.http.internal.body.BodyBuffer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** Body of a request, read before its key is claimed. */
sealed interface GatewayRequestBody {

    /** Body within the limit. */
    record Whole(Payload bytes) implements GatewayRequestBody {
        /** Returns the request with its body put back in front. */
        Request unread(Request request) {
            return new ReplacedBodyRequest(request, Content.Source.from(ByteBuffer.wrap(bytes.bytes())));
        }
    }

    /** Body over the limit. */
    record TooLarge(InputStream all) implements GatewayRequestBody {
        Request unread(Request request) {
            return streamed(request, all);
        }
    }

    /** Body for which there is no memory. */
    record NoMemory(InputStream all) implements GatewayRequestBody {
        Request unread(Request request) {
            return streamed(request, all);
        }
    }

    private static Request streamed(Request request, InputStream all) {
        return new ReplacedBodyRequest(request, Content.Source.from(all));
    }

    /**
     * Reads a body. Its declared length is reserved before the first byte is asked for.
     *
     * @throws IOException if the client hangs up, or sends what is no body
     */
    static GatewayRequestBody read(Request request, int most, BufferReservation memory) throws IOException {
        var in = Content.Source.asInputStream(request);
        var body = BodyBuffer.ofRequest(memory, most);
        var read = body.expect(request.getLength());
        if (read == BodyBuffer.BufferResult.BUFFERED) {
            read = body.readFrom(in);
        }
        return switch (read) {
            case BUFFERED -> new Whole(body.payload());
            case TOO_LARGE -> new TooLarge(body.followedBy(in));
            case NO_MEMORY -> new NoMemory(body.followedBy(in));
        };
    }

    /** Returns the request if a body may follow although no header declares one, as is usual in HTTP/2; empty if none does. */
    static Optional<Request> undeclaredBody(Request request) {
        if (request.getLength() >= 0) {
            return Optional.empty();
        }
        var first = request.read();
        if (first == null) {
            return Optional.of(request);
        }
        boolean none = first.isLast() && !first.hasRemaining() && !Content.Chunk.isFailure(first);
        return none
                ? Optional.empty()
                : Optional.of(new ReplacedBodyRequest(request, new PushbackSource(first, request)));
    }

    /** Body source that gives its first chunk again. */
    final class PushbackSource implements Content.Source {
        private final Content.Source rest;
        private Content.@Nullable Chunk first;

        private PushbackSource(Content.Chunk first, Content.Source rest) {
            this.first = first;
            this.rest = rest;
        }

        @Override
        public Content.@Nullable Chunk read() {
            var next = first;
            if (next == null) {
                return rest.read();
            }
            first = Content.Chunk.next(next);
            return next;
        }

        @Override
        public void demand(Runnable whenThereIsSome) {
            if (first == null) {
                rest.demand(whenThereIsSome);
            } else {
                whenThereIsSome.run();
            }
        }

        @Override
        public void fail(Throwable failure) {
            if (first != null) {
                first.release();
                first = null;
            }
            rest.fail(failure);
        }
    }

    /** Request with another body source. */
    final class ReplacedBodyRequest extends Request.Wrapper {
        private final Content.Source body;

        private ReplacedBodyRequest(Request request, Content.Source body) {
            super(request);
            this.body = body;
        }

        @Override
        public Content.@Nullable Chunk read() {
            return body.read();
        }

        @Override
        public void demand(Runnable whenThereIsSome) {
            body.demand(whenThereIsSome);
        }

        @Override
        public void fail(Throwable failure) {
            body.fail(failure);
        }
    }
}
