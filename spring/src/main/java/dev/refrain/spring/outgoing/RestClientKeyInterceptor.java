package dev.refrain.spring.outgoing;

import dev.refrain.http.outgoing.DownstreamKeys;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Adds the derived key to calls that a {@code RestClient} makes inside an operation. A key that the caller set is left unchanged.
 * The attribute {@link #STEP} names the step of a call. Thread-safe.
 */
public final class RestClientKeyInterceptor implements ClientHttpRequestInterceptor {

    /** Request attribute with the name of the step. */
    public static final String STEP = "refrain.step";

    private final DownstreamKeys downstream;

    public RestClientKeyInterceptor(DownstreamKeys downstream) {
        this.downstream = downstream;
    }

    @Override
    public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
            throws IOException {
        var step = (@Nullable String) request.getAttributes().get(STEP);
        downstream
                .keyHeaderFor(request.getMethod().name(), request.getURI(), step)
                .filter(header -> request.getHeaders().getFirst(DownstreamKeys.HEADER) == null)
                .ifPresent(header -> request.getHeaders().set(DownstreamKeys.HEADER, header));
        return execution.execute(request, body);
    }
}
