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

/** Sends an intent once, by {@code java.net.http}. Thread-safe. */
record JdkHttpSender(HttpClient http, Consumer<HttpRequest.Builder> eachAttempt) implements PendingRequestSender {

    @Override
    public ReceivedResponse send(PendingRequest intent, Duration atMost) throws IOException, InterruptedException {
        return exchange(http, request(intent), atMost);
    }

    static ReceivedResponse exchange(HttpClient http, HttpRequest request, Duration atMost)
            throws IOException, InterruptedException {
        var sending = http.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray());
        try {
            // The timeout of java.net.http ends with the headers; half a body would be waited for without end.
            var response = sending.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
            return new ReceivedResponse(response.statusCode(), response.headers(), response.body());
        } catch (TimeoutException late) {
            sending.cancel(true);
            throw new HttpTimeoutException("No whole answer within " + atMost.toMillis() + " ms.");
        } catch (InterruptedException interrupted) {
            sending.cancel(true);
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

    /** A failure that is none of the network's is a mistake, and goes to the caller as it is. */
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
