package dev.refrain.gateway;

import dev.refrain.gateway.internal.config.UpstreamEndpoint;
import java.net.URI;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.transport.HttpConversation;
import org.eclipse.jetty.client.transport.HttpRequest;
import org.jspecify.annotations.Nullable;

/**
 * Request to the upstream whose path and query are sent as they are given. The client's own builder accepts fewer than clients send and
 * services understand: a stray {@code %} in a query is no URI to it.
 */
final class VerbatimUpstreamRequest extends HttpRequest {

    private final String path;
    private final @Nullable String query;

    /** @param target path and query, one character per byte */
    VerbatimUpstreamRequest(HttpClient client, UpstreamEndpoint upstream, String target) {
        super(client, new HttpConversation(), URI.create(upstream.origin()));
        int mark = target.indexOf('?');
        this.path = mark < 0 ? target : target.substring(0, mark);
        this.query = mark < 0 ? null : target.substring(mark + 1);
    }

    @Override
    public String getPath() {
        // The superclass asks before this class has it.
        return path == null ? "/" : path;
    }

    @Override
    public @Nullable String getQuery() {
        return query;
    }
}
