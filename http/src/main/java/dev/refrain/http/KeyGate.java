package dev.refrain.http;

import dev.refrain.Call;
import dev.refrain.RefrainException;
import dev.refrain.http.key.KeyReader;
import dev.refrain.http.key.KeySource;
import dev.refrain.http.policy.Requirement;
import dev.refrain.http.policy.Route;
import dev.refrain.http.problem.Problem;
import dev.refrain.http.problem.Problems;
import dev.refrain.observe.Event;
import dev.refrain.observe.Event.Finding;
import dev.refrain.observe.Listener;
import java.util.Optional;
import java.util.UUID;

/** The first question to a request: under which key? Thread-safe. */
final class KeyGate {

    private static final System.Logger LOG = System.getLogger(KeyGate.class.getName());

    private final Route route;
    private final KeyReader keys;
    private final Problems problems;
    private final Listener listener;

    KeyGate(Route route, Problems problems, Listener listener) {
        this.route = route;
        this.keys = new KeyReader(
                route.policy().key().sources(), route.policy().key().syntax());
        this.problems = problems;
        this.listener = listener;
    }

    sealed interface Passage {
        /** There is no key, and none is needed. */
        record Unprotected() implements Passage {}

        record Refused(Reply reply) implements Passage {}

        /** @param minted the key, if it was made here */
        record Keyed(Call call, Optional<String> minted) implements Passage {}
    }

    /** The refusal of a request whose body was not read yet, if its headers are enough to refuse it. */
    Optional<Reply> refuseUnread(HttpRequest head) {
        boolean onlyHeaders = route.policy().key().sources().stream().allMatch(KeySource.Header.class::isInstance);
        if (!onlyHeaders || requirement() == Requirement.OBSERVE) {
            return Optional.empty();
        }
        try {
            var sent = keys.read(head).map(route.policy().key().rules()::check);
            return sent.isPresent() || requirement() != Requirement.REQUIRED
                    ? Optional.empty()
                    : Optional.of(missing());
        } catch (RefrainException unusable) {
            return Optional.of(unusable(unusable));
        }
    }

    /** Whether a request whose body was not read yet runs as if there were no protection: it has no key, and needs none. */
    boolean passesUnread(HttpRequest head) {
        boolean onlyHeaders = route.policy().key().sources().stream().allMatch(KeySource.Header.class::isInstance);
        boolean needsNone = requirement() == Requirement.OPTIONAL || requirement() == Requirement.OBSERVE;
        if (!onlyHeaders || !needsNone) {
            return false;
        }
        try {
            return keys.read(head).isEmpty() && withoutKey(head) instanceof Passage.Unprotected;
        } catch (RefrainException unusable) {
            return false;
        }
    }

    Passage check(HttpRequest request) {
        Optional<String> sent;
        try {
            sent = keys.read(request).map(route.policy().key().rules()::check);
        } catch (RefrainException unusable) {
            if (requirement() == Requirement.OBSERVE) {
                return observed(Finding.KEY_UNUSABLE);
            }
            return new Passage.Refused(unusable(unusable));
        }
        return sent.map(key -> keyed(request, key, Optional.empty())).orElseGet(() -> withoutKey(request));
    }

    private Passage withoutKey(HttpRequest request) {
        return switch (requirement()) {
            case OPTIONAL -> new Passage.Unprotected();
            case OBSERVE -> observed(Finding.KEY_MISSING);
            case MINT -> minted(request);
            case REQUIRED -> new Passage.Refused(missing());
        };
    }

    private Reply missing() {
        listener.onEvent(new Event.Refused(route.name(), Problem.KEY_MISSING.slug()));
        return problems.response(
                Problem.KEY_MISSING,
                "Send " + route.policy().key().sources().getFirst()
                        + " with a value that is new for each intent, such as a UUID, and the same for its retries.");
    }

    private Reply unusable(RefrainException why) {
        listener.onEvent(new Event.Refused(route.name(), Problem.KEY_MALFORMED.slug()));
        return problems.response(why);
    }

    private Passage minted(HttpRequest request) {
        String key = UUID.randomUUID().toString();
        listener.onEvent(new Event.Minted(route.name()));
        LOG.log(System.Logger.Level.DEBUG, () -> "A key was made for " + request + ": " + key);
        return keyed(request, key, Optional.of(key));
    }

    private Passage observed(Finding finding) {
        listener.onEvent(new Event.Observed(route.name(), finding));
        return new Passage.Unprotected();
    }

    private static Passage keyed(HttpRequest request, String key, Optional<String> minted) {
        return new Passage.Keyed(new Call(request.scope(), key, request.toFingerprint(), request.subject()), minted);
    }

    private Requirement requirement() {
        return route.policy().key().requirement();
    }
}
