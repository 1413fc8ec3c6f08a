package dev.refrain.spring.webflux;

import dev.refrain.http.edge.EdgeResponse;
import dev.refrain.http.internal.body.ResponseBodyRules;
import java.util.HashSet;
import java.util.Locale;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Mono;

/** Sends complete responses. */
final class ReactiveResponseSender {

    private ReactiveResponseSender() {}

    static Mono<Void> send(ServerHttpResponse response, EdgeResponse reply) {
        return Mono.defer(() -> {
            response.setStatusCode(HttpStatusCode.valueOf(reply.status()));
            var seen = new HashSet<String>();
            for (var header : reply.headers()) {
                if (seen.add(header.name().toLowerCase(Locale.ROOT))) {
                    response.getHeaders().set(header.name(), header.value());
                } else {
                    response.getHeaders().add(header.name(), header.value());
                }
            }
            return sendBody(response, reply.status(), reply.body().bytes());
        });
    }

    /** Sends a body and sets its length. */
    static Mono<Void> sendBody(ServerHttpResponse response, int status, byte[] bytes) {
        response.getHeaders().remove("Transfer-Encoding");
        if (!ResponseBodyRules.hasBody(status)) {
            response.getHeaders().remove("Content-Length");
            return response.setComplete();
        }
        response.getHeaders().setContentLength(bytes.length);
        return bytes.length == 0
                ? response.setComplete()
                : response.writeWith(
                        Mono.fromSupplier(() -> response.bufferFactory().wrap(bytes)));
    }
}
