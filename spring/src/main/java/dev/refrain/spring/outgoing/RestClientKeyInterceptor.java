package dev.refrain.spring.outgoing;

import dev.refrain.http.outgoing.DownstreamKeys;
import java.io.IOException;
import java.util.Optional;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Puts the derived key on calls that a {@code RestClient} makes inside an operation. A key that the caller set stays. A call names its
 * step by the attribute {@link #STEP}.
 */
public final class RestClientKeyInterceptor implements ClientHttpRequestInterceptor {

    /** The request attribute with the name of the step. */
    public static final String STEP = "refrain.step";

    private final DownstreamKeys downstream;

    public RestClientKeyInterceptor(DownstreamKeys downstream) {
        this.downstream = downstream;
    }

    @Override
    public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
            throws IOException {
        var step = Optional.ofNullable((String) request.getAttributes().get(STEP));
        downstream
                .keyHeaderFor(request.getMethod().name(), request.getURI(), step)
                .filter(header -> !request.getHeaders().containsHeader(DownstreamKeys.HEADER))
                .ifPresent(header -> request.getHeaders().set(DownstreamKeys.HEADER, header));
        return execution.execute(request, body);
    }
}
