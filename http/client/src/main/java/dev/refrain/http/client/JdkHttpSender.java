package dev.refrain.http.client;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Sends a request once with {@code java.net.http}. Thread-safe. */
record JdkHttpSender(HttpClient http, Consumer<HttpRequest.Builder> eachAttempt) implements PendingRequestSender {

    @Override
    public ReceivedResponse send(PendingRequest intent, Duration timeout) throws IOException, InterruptedException {
        return exchange(http, request(intent), timeout);
    }

    static ReceivedResponse exchange(HttpClient http, HttpRequest request, Duration timeout)
            throws IOException, InterruptedException {
        var pending = http.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray());
        try {
            // The timeout of java.net.http ends with the headers; a body that stalls would be awaited forever.
            var response = pending.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
            return new ReceivedResponse(response.statusCode(), response.headers(), response.body());
        } catch (TimeoutException late) {
            pending.cancel(true);
            throw new HttpTimeoutException("No complete response within " + timeout.toMillis() + " ms.");
        } catch (InterruptedException interrupted) {
            pending.cancel(true);
            throw interrupted;
        } catch (ExecutionException failed) {
            throw reason(failed);
        }
    }

    private HttpRequest request(PendingRequest intent) throws IOException {
        var request = intent.request();
        var builder = HttpRequest.newBuilder(request.uri())
                .method(request.method(), request.body().publisher());
        request.headers().forEach(header -> builder.header(header.name(), header.value()));
        eachAttempt.accept(builder);
        return builder.setHeader(KEY_HEADER, intent.headerValue()).build();
    }

    /** Rethrows failures that are not network failures, since those are bugs. */
    private static IOException reason(ExecutionException failed) {
        var cause = failed.getCause();
        if (cause instanceof RuntimeException mistake) {
            throw mistake;
        }
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof IOException network ? network : new IOException(failed);
    }
}
