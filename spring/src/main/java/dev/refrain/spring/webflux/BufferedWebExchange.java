package dev.refrain.spring.webflux;

import java.security.Principal;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.context.i18n.LocaleContext;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import org.springframework.web.server.WebSession;
import org.springframework.web.server.adapter.DefaultServerWebExchange;
import org.springframework.web.server.i18n.AcceptHeaderLocaleContextResolver;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Exchange whose request body, form and parts can be read again. Principal, session and attributes are those of the wrapped
 * exchange.
 */
final class BufferedWebExchange extends ServerWebExchangeDecorator {

    private final ServerWebExchange around;

    /**
     * Wraps an exchange.
     *
     * @param body the whole body
     */
    BufferedWebExchange(
            ServerWebExchange around,
            Flux<DataBuffer> body,
            ServerHttpResponse response,
            ServerCodecConfigurer codecs) {
        super(new DefaultServerWebExchange(
                new RereadableRequest(around.getRequest(), body),
                response,
                inside -> around.getSession(),
                codecs,
                new AcceptHeaderLocaleContextResolver()));
        this.around = around;
    }

    @Override
    public Map<String, Object> getAttributes() {
        return around.getAttributes();
    }

    @Override
    public Mono<WebSession> getSession() {
        return around.getSession();
    }

    @Override
    public <T extends Principal> Mono<T> getPrincipal() {
        return around.getPrincipal();
    }

    @Override
    public LocaleContext getLocaleContext() {
        return around.getLocaleContext();
    }

    @Override
    public @Nullable ApplicationContext getApplicationContext() {
        return around.getApplicationContext();
    }

    @Override
    public String transformUrl(String url) {
        return around.transformUrl(url);
    }

    @Override
    public void addUrlTransformer(Function<String, String> transformer) {
        around.addUrlTransformer(transformer);
    }

    @Override
    public String getLogPrefix() {
        return around.getLogPrefix();
    }

    /** Returns the body as a publisher that can be subscribed to repeatedly. */
    static Flux<DataBuffer> again(byte[] body, DataBufferFactory buffers) {
        return body.length == 0 ? Flux.empty() : Flux.defer(() -> Flux.just(buffers.wrap(body.clone())));
    }

    private static final class RereadableRequest extends ServerHttpRequestDecorator {
        private final Flux<DataBuffer> body;

        RereadableRequest(ServerHttpRequest request, Flux<DataBuffer> body) {
            super(request);
            this.body = body;
        }

        @Override
        public Flux<DataBuffer> getBody() {
            return body;
        }
    }
}
