package dev.refrain.verify;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Sends requests with an ordinary HTTP library, without redirects and without automatic retries. Thread-safe. */
final class VerifyHttpClient implements AutoCloseable {

    private final ApiUnderTest api;
    private final Duration timeout;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client;

    VerifyHttpClient(ApiUnderTest api, Duration timeout) {
        this.api = api;
        this.timeout = timeout;
        // HTTP/1.1 uses one connection per exchange, so that parallel requests do not queue behind each other.
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(timeout)
                .executor(threads)
                .build();
    }

    VerifyResponse send(VerifyRequest call) {
        return send(call, BodyPublishers.ofString(call.body()));
    }

    /** Sends like {@link #send(VerifyRequest)}, but holds the last byte back until the other requests have arrived. */
    VerifyResponse sendTogether(VerifyRequest call, CyclicBarrier barrier) {
        byte[] bytes = call.body().getBytes(StandardCharsets.UTF_8);
        return send(
                call,
                bytes.length == 0
                        ? BodyPublishers.noBody()
                        : BodyPublishers.fromPublisher(
                                BodyPublishers.ofInputStream(() -> body(bytes, barrier)), bytes.length));
    }

    private static InputStream body(byte[] bytes, CyclicBarrier barrier) {
        return new LastByteBarrierRequestBody(bytes, barrier);
    }

    VerifyResponse get(VerifiedRoute route, List<OutgoingHeader> headers, Optional<String> key) {
        var request = HttpRequest.newBuilder(route.at(api.base(), "")).GET();
        key.ifPresent(value -> request.header(api.keyHeader(), value));
        return exchange(request, headers);
    }

    private VerifyResponse send(VerifyRequest call, BodyPublisher body) {
        URI uri = api.route().at(api.base(), call.query());
        var request = HttpRequest.newBuilder(uri).method(api.route().method(), body);
        call.keys().forEach(key -> request.header(api.keyHeader(), key));
        return exchange(request, call.headers());
    }

    private VerifyResponse exchange(HttpRequest.Builder request, List<OutgoingHeader> headers) {
        try {
            headers.forEach(header -> request.header(header.name(), header.value()));
        } catch (IllegalArgumentException e) {
            throw new InvalidVerifySettingsException("Cannot send one of the headers "
                    + headers.stream().map(OutgoingHeader::name).toList()
                    + ": connection headers cannot be set.");
        }
        long startedAt = System.nanoTime();
        var pending = client.sendAsync(request.build(), BodyHandlers.ofByteArray());
        try {
            HttpResponse<byte[]> response = pending.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return new VerifyResponse(
                    response.statusCode(),
                    response.headers().map(),
                    response.body(),
                    Duration.ofNanos(System.nanoTime() - startedAt));
        } catch (TimeoutException e) {
            pending.cancel(true);
            throw new NoResponseException("no response within " + timeout.toMillis() + " ms", e);
        } catch (ExecutionException e) {
            throw new NoResponseException(reason(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for a response.", e);
        }
    }

    private static String reason(ExecutionException failure) {
        var cause = failure.getCause();
        if (cause instanceof IOException) {
            if (cause instanceof ConnectException) {
                return "connection refused; is the API running?";
            }
            String message = cause.getMessage();
            String kind = cause.getClass().getSimpleName();
            return message == null ? kind : kind + ": " + message;
        }
        throw new IllegalStateException("Cannot send a request.", cause);
    }

    @Override
    public void close() {
        client.shutdownNow();
        threads.shutdownNow();
    }
}
