package dev.refrain.spring.outgoing;

import dev.refrain.api.Claim;
import dev.refrain.api.CurrentClaim;
import dev.refrain.http.outgoing.DownstreamKeys;
import java.util.Optional;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import reactor.core.publisher.Mono;

/**
 * Adds the derived key to calls that a {@code WebClient} makes inside an operation: that of the Reactor context, or else that of
 * the subscribing thread. A key that the caller set is left unchanged. The attribute {@link #STEP} names the step of a call.
 * Thread-safe.
 */
public final class WebClientKeyFilter implements ExchangeFilterFunction {

    /** Request attribute with the name of the step. */
    public static final String STEP = RestClientKeyInterceptor.STEP;

    private final DownstreamKeys downstream;

    public WebClientKeyFilter(DownstreamKeys downstream) {
        this.downstream = downstream;
    }

    @Override
    public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
        return Mono.deferContextual(context -> {
            var claim = context.<Claim>getOrEmpty(Claim.class).or(CurrentClaim::get);
            return next.exchange(keyed(request, claim));
        });
    }

    private ClientRequest keyed(ClientRequest request, Optional<Claim> claim) {
        var step = request.attribute(STEP).map(String.class::cast);
        return downstream
                .keyHeaderFor(request.method().name(), request.url(), step.orElse(null), claim.orElse(null))
                .filter(header -> request.headers().getFirst(DownstreamKeys.HEADER) == null)
                .map(header -> ClientRequest.from(request)
                        .headers(headers -> headers.set(DownstreamKeys.HEADER, header))
                        .build())
                .orElse(request);
    }
}
