package dev.refrain.http.outgoing;

import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/** JDK HTTP client that adds the derived key to calls made inside an operation. A key that the caller set is left unchanged. */
public final class KeyedHttpClient extends HttpClient {

    private final HttpClient client;
    private final DownstreamKeys downstream;
    private final Optional<String> step;

    public KeyedHttpClient(HttpClient client, DownstreamKeys downstream) {
        this(client, downstream, Optional.empty());
    }

    private KeyedHttpClient(HttpClient client, DownstreamKeys downstream, Optional<String> step) {
        this.client = client;
        this.downstream = downstream;
        this.step = step;
    }

    /** Returns this client bound to a named step: all its calls carry that step's key. */
    public KeyedHttpClient step(String name) {
        return new KeyedHttpClient(client, downstream, Optional.of(name));
    }

    private HttpRequest keyed(HttpRequest request) {
        var header = downstream.keyHeaderFor(request.method(), request.uri(), step.orElse(null));
        return header.isEmpty()
                        || request.headers().firstValue(DownstreamKeys.HEADER).isPresent()
                ? request
                : HttpRequest.newBuilder(request, (name, value) -> true)
                        .setHeader(DownstreamKeys.HEADER, header.get())
                        .build();
    }

    @Override
    public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
            throws IOException, InterruptedException {
        return client.send(keyed(request), handler);
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
        return client.sendAsync(keyed(request), handler);
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request,
            HttpResponse.BodyHandler<T> handler,
            HttpResponse.@Nullable PushPromiseHandler<T> pushed) {
        return client.sendAsync(keyed(request), handler, pushed);
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
        return client.cookieHandler();
    }

    @Override
    public Optional<Duration> connectTimeout() {
        return client.connectTimeout();
    }

    @Override
    public Redirect followRedirects() {
        return client.followRedirects();
    }

    @Override
    public Optional<ProxySelector> proxy() {
        return client.proxy();
    }

    @Override
    public SSLContext sslContext() {
        return client.sslContext();
    }

    @Override
    public SSLParameters sslParameters() {
        return client.sslParameters();
    }

    @Override
    public Optional<Authenticator> authenticator() {
        return client.authenticator();
    }

    @Override
    public Version version() {
        return client.version();
    }

    @Override
    public Optional<Executor> executor() {
        return client.executor();
    }
}
