package dev.refrain.http.client.example;

import dev.refrain.http.client.PendingRequestSender;
import dev.refrain.http.client.ReceivedResponse;
import dev.refrain.http.client.ResendableRequest;
import java.net.http.HttpHeaders;
import okhttp3.OkHttpClient;
import okhttp3.RequestBody;

/** Example of docs/client.md. */
public final class OkHttpExample {

    private OkHttpExample() {}

    public static PendingRequestSender through(OkHttpClient http) {
        // shown
        PendingRequestSender sender = (pending, timeout) -> {
            ResendableRequest request = pending.request();
            var call = new okhttp3.Request.Builder()
                    .url(request.uri().toURL())
                    .method(request.method(), RequestBody.create(request.body().bytes()));
            request.headers().forEach(header -> call.addHeader(header.name(), header.value()));
            call.header(PendingRequestSender.KEY_HEADER, pending.headerValue());
            var once = http.newBuilder()
                    .followRedirects(false)
                    .callTimeout(timeout)
                    .build();
            try (var response = once.newCall(call.build()).execute()) {
                return new ReceivedResponse(
                        response.code(),
                        HttpHeaders.of(response.headers().toMultimap(), (name, value) -> true),
                        response.body().bytes());
            }
        };
        // end
        return sender;
    }
}
