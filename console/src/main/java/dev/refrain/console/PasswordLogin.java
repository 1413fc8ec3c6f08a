package dev.refrain.console;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Optional;

/**
 * Signs in with one shared password and a name for the audit trail. Sessions are kept in memory: they end after 30
 * minutes without use, after 12 hours, and with the process. After five wrong passwords within a minute, sign-in is
 * locked for the rest of that minute. Thread-safe.
 */
public final class PasswordLogin implements ConsoleAuthenticator {

    static final String PATH = "/login";

    private static final String COOKIE = "refrain-session";
    private static final Duration IDLE_TIMEOUT = Duration.ofMinutes(30);
    private static final Duration MAX_SESSION = Duration.ofHours(12);
    private static final Duration WINDOW = Duration.ofMinutes(1);
    private static final int MAX_FAILURES = 5;
    private static final int MAX_NAME_LENGTH = 80;
    private static final int MAX_SESSIONS = 1_000;

    private record Session(String who, Instant ends) {}

    private final PasswordHash password;
    private final InstantSource clock;
    private final CsrfGuard csrfGuard = new CsrfGuard();
    private final SecureRandom random = new SecureRandom();
    private final Cache<String, Session> sessions = Caffeine.newBuilder()
            .maximumSize(MAX_SESSIONS)
            .expireAfterAccess(IDLE_TIMEOUT)
            .build();
    private final ArrayDeque<Instant> failures = new ArrayDeque<>();

    public PasswordLogin(PasswordHash password, InstantSource clock) {
        this.password = password;
        this.clock = clock;
    }

    @Override
    public Optional<String> authenticate(ConsoleRequest request) {
        return request.cookie(COOKIE)
                .flatMap(id -> Optional.ofNullable(sessions.getIfPresent(id)))
                .filter(session -> clock.instant().isBefore(session.ends()))
                .map(Session::who);
    }

    @Override
    public ConsoleReply challenge(ConsoleRequest request, ConsoleLayout layout) {
        if (request.path().equals(PATH) && request.method().equals("POST")) {
            return signIn(request, layout);
        }
        return form(request, layout, request.path().equals(PATH) ? 200 : 401, "");
    }

    @Override
    public Optional<ConsoleReply> signOut(ConsoleRequest request) {
        request.cookie(COOKIE).ifPresent(sessions::invalidate);
        return Optional.of(ConsoleReply.redirect(request.mount() + PATH)
                .with("Set-Cookie", CsrfGuard.cookie(request, COOKIE, "", "; Max-Age=0")));
    }

    private ConsoleReply signIn(ConsoleRequest request, ConsoleLayout layout) {
        if (csrfGuard.isForged(request)) {
            return form(request, layout, 403, "The form has expired or was not sent from this console. Try again.");
        }
        String name = request.formField("name").map(String::strip).orElse("");
        if (name.isEmpty() || name.length() > MAX_NAME_LENGTH) {
            return form(request, layout, 400, "Enter your name, in at most " + MAX_NAME_LENGTH + " characters.");
        }
        if (!attempt(request.form().getOrDefault("password", ""))) {
            return form(request, layout, 401, "Wrong password, or too many attempts. Wait a minute and try again.");
        }
        String id = CsrfGuard.token(random);
        sessions.put(id, new Session(name, clock.instant().plus(MAX_SESSION)));
        return ConsoleReply.redirect(request.mount() + "/")
                .with("Set-Cookie", CsrfGuard.cookie(request, COOKIE, id, ""))
                .with("Set-Cookie", csrfGuard.newCookie(request));
    }

    /** Checks one password at a time: guessing is slow and uses at most one core. */
    private synchronized boolean attempt(String given) {
        var now = clock.instant();
        failures.removeIf(at -> at.plus(WINDOW).isBefore(now));
        if (failures.size() >= MAX_FAILURES) {
            return false;
        }
        boolean right = password.matches(given.toCharArray());
        if (!right) {
            failures.add(now);
        }
        return right;
    }

    private ConsoleReply form(ConsoleRequest request, ConsoleLayout layout, int status, String message) {
        String token = csrfGuard.token(request);
        var visit = new AuthenticatedRequest(request, "", "", token);
        var content = SafeHtml.concat(
                message.isEmpty()
                        ? SafeHtml.NOTHING
                        : SafeHtml.element("p")
                                .with("class", "notice")
                                .with("role", "alert")
                                .content(message),
                visit.form(
                        request.mount() + PATH,
                        HtmlFormFields.text("name", "Your name (for the audit trail)", "", "username"),
                        HtmlFormFields.input("password", "password", "Password", "current-password"),
                        HtmlFormFields.button("Sign in")));
        var page = new ConsolePage(status, "Sign in", content, Optional.empty(), false);
        return csrfGuard.remember(request, token, layout.renderSignedOut(request, status, page));
    }
}
