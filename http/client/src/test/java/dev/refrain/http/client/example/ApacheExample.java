package dev.refrain.http.client.example;

import dev.refrain.http.client.PendingRequestSender;
import dev.refrain.http.client.ReceivedResponse;
import dev.refrain.http.client.ResendableRequest;
import java.net.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.classic.HttpClient;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.EntityUtils;

/** Example of docs/client.md. */
public final class ApacheExample {

    private ApacheExample() {}

    public static PendingRequestSender through(HttpClient http) {
        // shown
        PendingRequestSender sender = (pending, timeout) -> {
            ResendableRequest request = pending.request();
            var call = new HttpUriRequestBase(request.method(), request.uri());
            request.headers().forEach(header -> call.addHeader(header.name(), header.value()));
            call.setHeader(PendingRequestSender.KEY_HEADER, pending.headerValue());
            call.setEntity(new ByteArrayEntity(request.body().bytes(), null));
            // Its own timeouts apply to each read; this one applies to the whole response.
            CompletableFuture.delayedExecutor(timeout.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(call::abort);
            return http.execute(call, response -> {
                var headers = new TreeMap<String, List<String>>(String.CASE_INSENSITIVE_ORDER);
                for (var header : response.getHeaders()) {
                    headers.computeIfAbsent(header.getName(), name -> new ArrayList<>())
                            .add(header.getValue());
                }
                byte[] body = EntityUtils.toByteArray(response.getEntity());
                return new ReceivedResponse(
                        response.getCode(),
                        HttpHeaders.of(headers, (name, value) -> true),
                        body == null ? new byte[0] : body);
            });
        };
        // end
        return sender;
    }
}
