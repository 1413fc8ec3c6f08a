package dev.refrain.spring.webflux;

import dev.refrain.http.cases.TestHandler;
import dev.refrain.http.cases.TestHandlerRequest;
import dev.refrain.http.cases.TestHandlerResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.http.codec.multipart.FormFieldPart;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Answers as it is told, in WebFlux's ways. */
@RestController
class ReactiveTestHandlerController {

    private final TestHandler handler;

    ReactiveTestHandlerController(TestHandler handler) {
        this.handler = handler;
    }

    @RequestMapping("/**")
    Mono<ResponseEntity<byte[]>> handle(ServerWebExchange exchange) {
        return asked(exchange)
                .flatMap(asked -> Mono.fromCallable(() -> handler.handle(asked)))
                .flatMap(given -> answer(given, exchange.getResponse()));
    }

    private static Mono<ResponseEntity<byte[]>> answer(TestHandlerResponse given, ServerHttpResponse response) {
        return switch (given.style()) {
            case STREAM -> Mono.just(entity(given));
            case WRITER -> {
                head(response, given);
                yield response.writeWith(Flux.just(given.text().split("(?<= )"))
                                .map(word -> buffer(response, word.getBytes(StandardCharsets.UTF_8))))
                        .then(Mono.empty());
            }
            case FLUSHED -> {
                head(response, given);
                yield response.writeAndFlushWith(bytes(given).map(b -> Mono.just(buffer(response, b))))
                        .then(Mono.fromRunnable(() -> tooLate(response)));
            }
            case ERROR -> Mono.error(new ResponseStatusException(HttpStatusCode.valueOf(given.status()), given.text()));
            case THROWN -> Mono.error(new IllegalStateException(given.text()));
            case BROKEN -> Mono.error(new AssertionError(given.text()));
            case ASYNC -> Mono.delay(Duration.ofMillis(10)).map(later -> entity(given));
            case ASYNC_DISPATCH -> throw new AssertionError("There are no dispatches in WebFlux.");
        };
    }

    /** What comes after the answer is committed comes too late: the status is ignored, and headers are refused. */
    private static void tooLate(ServerHttpResponse response) {
        if (response.setStatusCode(HttpStatusCode.valueOf(500))) {
            throw new AssertionError("The status could be changed.");
        }
        try {
            response.getHeaders().set("X-Too-Late", "yes");
            throw new AssertionError("The headers could be changed.");
        } catch (UnsupportedOperationException readOnly) {
            // As it should be.
        }
    }

    private static Flux<byte[]> bytes(TestHandlerResponse given) {
        byte[] all = given.bytes();
        return Flux.range(0, all.length).map(i -> new byte[] {all[i]});
    }

    private static DataBuffer buffer(ServerHttpResponse response, byte[] bytes) {
        return response.bufferFactory().wrap(bytes);
    }

    private static ResponseEntity<byte[]> entity(TestHandlerResponse given) {
        var entity = ResponseEntity.status(given.status());
        given.headers().forEach(header -> entity.header(header.name(), header.value()));
        return given.text().isEmpty() ? entity.build() : entity.body(given.bytes());
    }

    private static void head(ServerHttpResponse response, TestHandlerResponse given) {
        response.setStatusCode(HttpStatusCode.valueOf(given.status()));
        given.headers().forEach(header -> response.getHeaders().add(header.name(), header.value()));
    }

    private static Mono<TestHandlerRequest> asked(ServerWebExchange exchange) {
        var request = exchange.getRequest();
        String type = Optional.ofNullable(request.getHeaders().getFirst("Content-Type"))
                .orElse("")
                .toLowerCase(Locale.ROOT);
        Map<String, String> parameters =
                new LinkedHashMap<>(request.getQueryParams().toSingleValueMap());
        Mono<String> body;
        if (type.startsWith("application/x-www-form-urlencoded")) {
            body = exchange.getFormData()
                    .doOnNext(form -> parameters.putAll(form.toSingleValueMap()))
                    .thenReturn("");
        } else if (type.startsWith("multipart/")) {
            body = exchange.getMultipartData()
                    .doOnNext(parts -> parts.toSingleValueMap().forEach((name, part) -> {
                        if (part instanceof FormFieldPart field) {
                            parameters.put(name, field.value());
                        }
                    }))
                    .thenReturn("");
        } else {
            body = DataBufferUtils.join(request.getBody())
                    .map(buffer -> {
                        String text = buffer.toString(StandardCharsets.ISO_8859_1);
                        DataBufferUtils.release(buffer);
                        return text;
                    })
                    .defaultIfEmpty("");
        }
        return body.map(text -> new TestHandlerRequest(
                request.getMethod().name(),
                request.getURI().getRawPath(),
                text,
                parameters,
                RefrainWebFilter.claim(exchange)));
    }
}
