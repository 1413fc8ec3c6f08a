package dev.refrain.gateway.internal.scope;

import java.util.Optional;
import javax.security.auth.x500.X500Principal;
import org.eclipse.jetty.io.EndPoint.SslSessionData;
import org.eclipse.jetty.server.Request;

/** Uses the subject of the client's verified certificate as the scope. */
public record CertificateScopeResolver() implements GatewayScopeResolver {

    @Override
    public Optional<String> scopeOf(Request request) {
        if (!(request.getAttribute(SslSessionData.ATTRIBUTE) instanceof SslSessionData session)) {
            return Optional.empty();
        }
        var chain = session.peerCertificates();
        return chain == null || chain.length == 0
                ? Optional.empty()
                : Optional.of(
                        "certificate:" + chain[0].getSubjectX500Principal().getName(X500Principal.RFC2253));
    }
}
