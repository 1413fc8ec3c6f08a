package dev.refrain.gateway;

import dev.refrain.api.Payload;
import dev.refrain.gateway.internal.scope.ScopeLookupFailedException;
import dev.refrain.http.edge.BufferReservation;
import dev.refrain.http.edge.RequestHead;
import dev.refrain.http.edge.RequestStep;
import java.io.IOException;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/** The steps of a request in the words of the gateway's server. One per request. */
final class JettyTranslation implements RequestStep.BlockingTranslation<IOException> {

    private static final System.Logger LOG = System.getLogger(JettyTranslation.class.getName());

    private final Request request;
    private final GatewayRuleSet rules;
    private final BufferReservation memory;
    private Request unread;
    private Payload body = Payload.of(new byte[0]);

    JettyTranslation(Request request, GatewayRuleSet rules, BufferReservation memory) {
        this.request = request;
        this.rules = rules;
        this.memory = memory;
        this.unread = request;
    }

    Request request() {
        return request;
    }

    GatewayRuleSet rules() {
        return rules;
    }

    /** The memory of the exchange. */
    BufferReservation memory() {
        return memory;
    }

    /** The request as if nothing had been read of it. */
    Request unread() {
        return unread;
    }

    /** The whole body, if it was read. */
    Payload body() {
        return body;
    }

    static RequestHead head(Request request) {
        return new RequestHead(
                request.getMethod(),
                GatewayRuleSet.path(request),
                RequestTarget.query(request),
                Optional.ofNullable(request.getHeaders().get(HttpHeader.CONTENT_TYPE))
                        .orElse(""),
                name -> request.getHeaders().getValuesList(name));
    }

    @Override
    public RequestStep resolveScope(RequestStep.ResolveScope step) {
        Optional<String> scope;
        try {
            scope = rules.scopeOf(request);
        } catch (ScopeLookupFailedException away) {
            LOG.log(System.Logger.Level.WARNING, String.valueOf(away.getMessage()));
            return step.unavailable();
        }
        return scope.map(step::known).orElseGet(step::unknown);
    }

    @Override
    public RequestStep readBody(RequestStep.ReadBody step) throws IOException {
        return switch (GatewayRequestBody.read(request, step.maxBytes(), step.memory())) {
            case GatewayRequestBody.Whole whole -> {
                body = whole.bytes();
                unread = whole.unread(request);
                yield step.whole(whole.bytes());
            }
            case GatewayRequestBody.TooLarge large -> {
                unread = large.unread(request);
                yield step.tooLarge();
            }
            case GatewayRequestBody.NoMemory full -> {
                unread = full.unread(request);
                yield step.noMemory();
            }
        };
    }
}
