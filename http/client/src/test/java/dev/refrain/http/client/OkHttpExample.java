package dev.refrain.http.client;

import java.net.http.HttpHeaders;
import okhttp3.OkHttpClient;
import okhttp3.RequestBody;

/** An example of docs/client.md. */
final class OkHttpExample {

    private OkHttpExample() {}

    static Sender through(OkHttpClient http) {
        // shown
        Sender sender = (intent, atMost) -> {
            Request request = intent.request();
            var call = new okhttp3.Request.Builder()
                    .url(request.uri().toURL())
                    .method(request.method(), RequestBody.create(request.body().bytes()));
            request.headers().forEach(header -> call.addHeader(header.name(), header.value()));
            call.header(Sender.KEY_HEADER, intent.headerValue());
            var once =
                    http.newBuilder().followRedirects(false).callTimeout(atMost).build();
            try (var response = once.newCall(call.build()).execute()) {
                return new Received(
                        response.code(),
                        HttpHeaders.of(response.headers().toMultimap(), (name, value) -> true),
                        response.body().bytes());
            }
        };
        // end
        return sender;
    }
}
