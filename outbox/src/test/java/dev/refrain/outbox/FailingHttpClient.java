package dev.refrain.outbox;

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
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;

/** A client that fails before or after it has begun to write the request. */
final class FailingHttpClient extends HttpClient {

    private final boolean writing;
    private final Exception failure;

    private FailingHttpClient(boolean writing, Exception failure) {
        this.writing = writing;
        this.failure = failure;
    }

    /** Asks for the body's length, as one does to write a request, and then hears of a failed handshake. */
    static HttpClient hearingOfLateHandshakeFailure() {
        return new FailingHttpClient(true, new SSLHandshakeException("Received fatal alert: bad_certificate"));
    }

    /** Fails with an exception of its own. */
    static HttpClient failing(boolean writing) {
        return new FailingHttpClient(writing, new IllegalArgumentException("sesame is refused"));
    }

    @Override
    public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler) throws IOException {
        if (writing) {
            request.bodyPublisher().orElseThrow().contentLength();
        }
        if (failure instanceof IOException broken) {
            throw broken;
        }
        throw (RuntimeException) failure;
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
        throw new UnsupportedOperationException();
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, HttpResponse.BodyHandler<T> handler, HttpResponse.PushPromiseHandler<T> pushed) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
        return Optional.empty();
    }

    @Override
    public Optional<Duration> connectTimeout() {
        return Optional.empty();
    }

    @Override
    public Redirect followRedirects() {
        return Redirect.NEVER;
    }

    @Override
    public Optional<ProxySelector> proxy() {
        return Optional.empty();
    }

    @Override
    public SSLContext sslContext() {
        throw new UnsupportedOperationException();
    }

    @Override
    public SSLParameters sslParameters() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<Authenticator> authenticator() {
        return Optional.empty();
    }

    @Override
    public Version version() {
        return Version.HTTP_1_1;
    }

    @Override
    public Optional<Executor> executor() {
        return Optional.empty();
    }
}
