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
 * The console's own way in: one password, and the name that its user gives for the audit trail. A session lives in the memory of this
 * process, for half an hour after it was last used and never longer than twelve. After five wrong passwords within a minute nobody is
 * heard for the rest of it.
 */
public final class PasswordLogin implements ConsoleAuthenticator {

    static final String PATH = "/login";

    private static final String COOKIE = "refrain-session";
    private static final Duration IDLE = Duration.ofMinutes(30);
    private static final Duration LONGEST = Duration.ofHours(12);
    private static final Duration WINDOW = Duration.ofMinutes(1);
    private static final int WRONG_ONES = 5;
    private static final int LONGEST_NAME = 80;
    private static final int SESSIONS = 1_000;

    private record Session(String who, Instant ends) {}

    private final PasswordHash password;
    private final InstantSource clock;
    private final CsrfGuard forgery = new CsrfGuard();
    private final SecureRandom random = new SecureRandom();
    private final Cache<String, Session> sessions =
            Caffeine.newBuilder().maximumSize(SESSIONS).expireAfterAccess(IDLE).build();
    private final ArrayDeque<Instant> wrong = new ArrayDeque<>();

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
    public ConsoleReply challenge(ConsoleRequest request, ConsoleLayout frame) {
        if (request.path().equals(PATH) && request.method().equals("POST")) {
            return enter(request, frame);
        }
        return form(request, frame, request.path().equals(PATH) ? 200 : 401, "");
    }

    @Override
    public Optional<ConsoleReply> signOut(ConsoleRequest request) {
        request.cookie(COOKIE).ifPresent(sessions::invalidate);
        return Optional.of(ConsoleReply.redirect(request.mount() + PATH)
                .with("Set-Cookie", CsrfGuard.cookie(request, COOKIE, "", "; Max-Age=0")));
    }

    private ConsoleReply enter(ConsoleRequest request, ConsoleLayout frame) {
        if (forgery.isForged(request)) {
            return form(request, frame, 403, "This form was not sent from here, or it is old: try again.");
        }
        String name = request.formField("name").map(String::strip).orElse("");
        if (name.isEmpty() || name.length() > LONGEST_NAME) {
            return form(request, frame, 400, "Say who you are, in at most " + LONGEST_NAME + " characters.");
        }
        if (!attempt(request.form().getOrDefault("password", ""))) {
            return form(
                    request, frame, 401, "That is not the password, or there were too many wrong ones: wait a minute.");
        }
        String id = CsrfGuard.token(random);
        sessions.put(id, new Session(name, clock.instant().plus(LONGEST)));
        return ConsoleReply.redirect(request.mount() + "/")
                .with("Set-Cookie", CsrfGuard.cookie(request, COOKIE, id, ""));
    }

    /** One at a time: guessing is made slow, and costs one processor at most. */
    private synchronized boolean attempt(String given) {
        var now = clock.instant();
        wrong.removeIf(at -> at.plus(WINDOW).isBefore(now));
        if (wrong.size() >= WRONG_ONES) {
            return false;
        }
        boolean right = password.matches(given.toCharArray());
        if (!right) {
            wrong.add(now);
        }
        return right;
    }

    private ConsoleReply form(ConsoleRequest request, ConsoleLayout frame, int status, String told) {
        String token = forgery.token(request);
        var visit = new AuthenticatedRequest(request, "", "", token);
        var content = SafeHtml.concat(
                told.isEmpty()
                        ? SafeHtml.NOTHING
                        : SafeHtml.element("p")
                                .with("class", "told")
                                .with("role", "alert")
                                .content(told),
                visit.form(
                        request.mount() + PATH,
                        FormFields.text("name", "Your name, for the audit trail", "", "username"),
                        FormFields.input("password", "password", "Password", "current-password"),
                        FormFields.button("Enter")));
        var page = new ConsolePage(status, "Sign in", content, Optional.empty(), false);
        return forgery.remember(request, token, frame.renderSignedOut(request, status, page));
    }
}
