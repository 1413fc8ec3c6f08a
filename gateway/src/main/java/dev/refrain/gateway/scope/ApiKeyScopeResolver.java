package dev.refrain.gateway.scope;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import org.eclipse.jetty.server.Request;

/**
 * Uses a hash of a secret header as the scope. The secret is not verified here: a wrong one has keys of its own, and the upstream refuses
 * it.
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
