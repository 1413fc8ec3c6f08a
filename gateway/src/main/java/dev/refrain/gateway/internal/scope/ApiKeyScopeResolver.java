package dev.refrain.gateway.internal.scope;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.server.Request;

/**
 * Uses a hash of a secret header as the scope. The secret is not verified here: a wrong one has keys of its own, and the upstream refuses
 * it. Credentials that change by themselves, such as bearer tokens, say nothing here: with a refreshed one a retry would run again.
 */
public record ApiKeyScopeResolver(String header) implements GatewayScopeResolver {

    private static final String BASIC = "Basic";
    private static final Set<String> LASTING = Set.of("", "ApiKey", "Api-Key");
    private static final Set<String> CHANGING = Set.of("Bearer", "DPoP", "Digest", "Negotiate", "NTLM", "Hawk");

    @Override
    public List<String> headers() {
        return List.of(header);
    }

    @Override
    public Optional<String> scopeOf(Request request) {
        var sent = request.getHeaders().getValuesList(header);
        return sent.size() == 1 ? lasting(sent.getFirst()).map(ApiKeyScopeResolver::hash) : Optional.empty();
    }

    /** Returns the secret; empty if it is one that changes, as all schemes of {@code Authorization} but a few do. */
    private Optional<String> lasting(String value) {
        String secret = value.strip();
        int space = secret.indexOf(' ');
        String scheme = space < 0 ? "" : secret.substring(0, space);
        if (scheme.equalsIgnoreCase(BASIC)) {
            return Optional.of(BASIC + secret.substring(space));
        }
        boolean changing = header.equalsIgnoreCase("Authorization")
                ? LASTING.stream().noneMatch(scheme::equalsIgnoreCase)
                : CHANGING.stream().anyMatch(scheme::equalsIgnoreCase);
        return Optional.of(secret).filter(some -> !some.isEmpty() && !changing);
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
