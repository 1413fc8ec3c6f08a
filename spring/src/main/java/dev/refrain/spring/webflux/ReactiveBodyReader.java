package dev.refrain.spring.webflux;

import dev.refrain.http.edge.BufferReservation;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Locale;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.MediaType;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Reads the whole body of a request, up to a limit. */
final class ReactiveBodyReader {

    private ReactiveBodyReader() {}

    static Mono<ReactiveRequestBody> read(ServerWebExchange exchange, int limit, BufferReservation memory) {
        return ReactiveRequestBody.read(
                        exchange.getRequest(), limit, exchange.getResponse().bufferFactory(), memory)
                .flatMap(body -> body instanceof ReactiveRequestBody.Whole whole
                                && whole.payload().bytes().length == 0
                        ? mayBeReadBefore(exchange)
                        : Mono.just(body))
                .onErrorResume(IllegalStateException.class, refused -> readBefore(exchange));
    }

    static byte[] bytes(DataBuffer buffer) {
        try {
            byte[] bytes = new byte[buffer.readableByteCount()];
            buffer.read(bytes);
            return bytes;
        } finally {
            DataBufferUtils.release(buffer);
        }
    }

    /** Reads a body that may have been read already, which servers reject or report as empty. */
    private static Mono<ReactiveRequestBody> mayBeReadBefore(ServerWebExchange exchange) {
        long announced = exchange.getRequest().getHeaders().getContentLength();
        return announced > 0 || (announced < 0 && isForm(exchange))
                ? readBefore(exchange)
                : Mono.just(ReactiveRequestBody.Whole.of(new byte[0]));
    }

    /**
     * Rebuilds a form that an earlier filter has read, for example for a token, from the fields that the exchange caches. Any
     * other body that was read is lost.
     */
    private static Mono<ReactiveRequestBody> readBefore(ServerWebExchange exchange) {
        return isForm(exchange)
                ? exchange.getFormData()
                        .map(ReactiveBodyReader::form)
                        .defaultIfEmpty(new byte[0])
                        .map(ReactiveRequestBody.Whole::of)
                : Mono.error(
                        new IllegalStateException(
                                "Cannot fingerprint " + exchange.getRequest().getPath()
                                        + ": a filter before Refrain's has already read its body. Order that filter after Refrain's (refrain.http.filter-order), or let it pass the body on."));
    }

    private static boolean isForm(ServerWebExchange exchange) {
        String type = exchange.getRequest().getHeaders().getFirst("Content-Type");
        return type != null && type.toLowerCase(Locale.ROOT).startsWith(MediaType.APPLICATION_FORM_URLENCODED_VALUE);
    }

    private static byte[] form(MultiValueMap<String, String> fields) {
        var pairs = new ArrayList<String>();
        fields.forEach((name, values) -> values.forEach(
                value -> pairs.add(value == null ? encoded(name) : encoded(name) + "=" + encoded(value))));
        return String.join("&", pairs).getBytes(StandardCharsets.US_ASCII);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
