package dev.refrain.spring.webflux;

import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/** A functional endpoint that answers with what it was sent, and how often it has run. */
final class CountingEndpoint {

    private CountingEndpoint() {}

    static RouterFunction<ServerResponse> at(String path, AtomicInteger runs) {
        return RouterFunctions.route()
                .POST(
                        path,
                        request -> request.bodyToMono(String.class)
                                .flatMap(text -> ServerResponse.ok().bodyValue(text + runs.incrementAndGet())))
                .build();
    }
}
