package dev.refrain.console;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Protects forms against cross-site request forgery. A form is accepted only if the browser says it was sent from this
 * origin and it contains the token of the user's cookie, which no other site can read. Keeps no state, so any instance
 * can check. Thread-safe.
 */
final class CsrfGuard {

    static final String FIELD = "refrain-token";

    private static final String COOKIE = "refrain-token";
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_-]{43}");

    private final SecureRandom random = new SecureRandom();

    /** Returns the user's token, or a new one. */
    String token(ConsoleRequest request) {
        return cookieToken(request).orElseGet(() -> token(random));
    }

    static String token(SecureRandom random) {
        byte[] bytes = new byte[32];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    ConsoleReply remember(ConsoleRequest request, String token, ConsoleReply reply) {
        return cookieToken(request).isPresent() ? reply : reply.with("Set-Cookie", cookie(request, COOKIE, token, ""));
    }

    /** Returns a cookie with a new token: one that somebody set before the user signed in is worth nothing afterwards. */
    String newCookie(ConsoleRequest request) {
        return cookie(request, COOKIE, token(random), "");
    }

    static String cookie(ConsoleRequest request, String name, String value, String more) {
        return name + "=" + value + "; Path=" + (request.mount().isEmpty() ? "/" : request.mount())
                + "; HttpOnly; SameSite=Strict" + (request.secure() ? "; Secure" : "") + more;
    }

    boolean isForged(ConsoleRequest request) {
        return !sameOrigin(request)
                || cookieToken(request)
                        .filter(token -> equal(token, request.form().getOrDefault(FIELD, "")))
                        .isEmpty();
    }

    private static Optional<String> cookieToken(ConsoleRequest request) {
        return request.cookie(COOKIE).filter(token -> TOKEN.matcher(token).matches());
    }

    /** Browsers send the origin of every form. A client that sends none is not a browser and has no cookie to steal. */
    private static boolean sameOrigin(ConsoleRequest request) {
        if (request.header("sec-fetch-site")
                .filter(site -> !site.equals("same-origin"))
                .isPresent()) {
            return false;
        }
        var host = request.header("host").map(h -> h.toLowerCase(Locale.ROOT));
        var origin = request.header("origin").flatMap(CsrfGuard::authority);
        return host.isPresent() && origin.equals(host);
    }

    private static Optional<String> authority(String origin) {
        try {
            return Optional.ofNullable(URI.create(origin).getRawAuthority()).map(a -> a.toLowerCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    static boolean equal(String one, String other) {
        return MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }
}
