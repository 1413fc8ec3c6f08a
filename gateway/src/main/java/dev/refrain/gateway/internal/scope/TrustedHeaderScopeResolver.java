package dev.refrain.gateway.internal.scope;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.server.Request;

/** Uses a header set by a trusted proxy as the scope. From any other sender the header is ignored, and the upstream does not see it. */
public record TrustedHeaderScopeResolver(String header, List<CidrBlock> from) implements GatewayScopeResolver {

    public TrustedHeaderScopeResolver {
        from = List.copyOf(from);
    }

    @Override
    public List<String> headers() {
        return List.of(header);
    }

    @Override
    public Optional<String> scopeOf(Request request) {
        var said = request.getHeaders().getValuesList(header);
        return said.size() == 1 && !said.getFirst().isBlank() && isTrusted(request)
                ? Optional.of(said.getFirst())
                : Optional.empty();
    }

    /**
     * Strips the header from untrusted senders, and its spellings with underscores from everybody: CGI and WSGI read both as the same name.
     */
    @Override
    public boolean mustBeStripped(String name, Request request) {
        return name.equalsIgnoreCase(header)
                ? !isTrusted(request)
                : name.replace('_', '-').equalsIgnoreCase(header.replace('_', '-'));
    }

    private boolean isTrusted(Request request) {
        return request.getConnectionMetaData().getRemoteSocketAddress() instanceof InetSocketAddress peer
                && peer.getAddress() != null
                && from.stream().anyMatch(network -> network.contains(peer.getAddress()));
    }
}
