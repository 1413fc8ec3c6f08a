package dev.refrain.gateway.scope;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.server.Request;

/** What a proxy in front says, which has verified it; from anybody else it says nothing, and the service behind does not hear it either. */
public record TrustedHeaderScopeResolver(String header, List<CidrBlock> from) implements GatewayScopeResolver {

    public TrustedHeaderScopeResolver {
        from = List.copyOf(from);
    }

    @Override
    public Optional<String> scopeOf(Request request) {
        var said = request.getHeaders().getValuesList(header);
        return said.size() == 1 && !said.getFirst().isBlank() && isTrusted(request)
                ? Optional.of(said.getFirst())
                : Optional.empty();
    }

    /** CGI, WSGI and the like make one name of hyphens and underscores: whoever writes it with these is nobody's proxy. */
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
