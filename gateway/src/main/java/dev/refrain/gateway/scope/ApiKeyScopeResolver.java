package dev.refrain.gateway.scope;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import org.eclipse.jetty.server.Request;

/**
 * Whoever sends the same secret in a header is the same caller. It is not verified here: who sends a wrong one has keys of its own, and
 * is refused by the service behind. Only a hash of it is kept.
 */
public record ApiKeyScopeResolver(String header) implements GatewayScopeResolver {

    @Override
    public Optional<String> scopeOf(Request request) {
        var sent = request.getHeaders().getValuesList(header);
        return sent.size() == 1 && !sent.getFirst().isBlank() ? Optional.of(hash(sent.getFirst())) : Optional.empty();
    }

    private static String hash(String secret) {
        try {
            var sha = MessageDigest.getInstance("SHA-256");
            return "key:" + HexFormat.of().formatHex(sha.digest(secret.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every JDK has SHA-256.", e);
        }
    }
}
