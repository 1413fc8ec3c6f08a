package dev.refrain.http.edge;

import dev.refrain.OperationCall;
import dev.refrain.api.RefrainException;
import dev.refrain.http.KeyRequirement;
import dev.refrain.http.KeySource;
import dev.refrain.http.Route;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainEvent.ObservedFinding;
import dev.refrain.observe.RefrainListener;
import java.util.Optional;
import java.util.UUID;

/** The first question to a request: under which key? Thread-safe. */
final class RequestKeyCheck {

    private static final System.Logger LOG = System.getLogger(RequestKeyCheck.class.getName());

    private final Route route;
    private final RequestKeyReader keys;
    private final ProblemResponses problems;
    private final RefrainListener listener;

    RequestKeyCheck(Route route, ProblemResponses problems, RefrainListener listener) {
        this.route = route;
        this.keys = new RequestKeyReader(
                route.policy().key().sources(), route.policy().key().syntax());
        this.problems = problems;
        this.listener = listener;
    }

    sealed interface KeyDecision {
        /** There is no key, and none is needed. */
        record Unprotected() implements KeyDecision {}

        record Refused(EdgeResponse reply) implements KeyDecision {}

        /** @param minted the key, if it was made here */
        record Keyed(OperationCall call, Optional<String> minted) implements KeyDecision {}
    }

    /** The refusal of a request whose body was not read yet, if its headers are enough to refuse it. */
    Optional<EdgeResponse> refuseUnread(EdgeRequest head) {
        boolean onlyHeaders = route.policy().key().sources().stream().allMatch(KeySource.Header.class::isInstance);
        if (!onlyHeaders || requirement() == KeyRequirement.OBSERVE) {
            return Optional.empty();
        }
        try {
            var sent = keys.read(head).map(route.policy().key().rules()::check);
            return sent.isPresent() || requirement() != KeyRequirement.REQUIRED
                    ? Optional.empty()
                    : Optional.of(missing());
        } catch (RefrainException unusable) {
            return Optional.of(unusable(unusable));
        }
    }

    /** Whether a request whose body was not read yet runs as if there were no protection: it has no key, and needs none. */
    boolean passesUnread(EdgeRequest head) {
        boolean onlyHeaders = route.policy().key().sources().stream().allMatch(KeySource.Header.class::isInstance);
        boolean needsNone = requirement() == KeyRequirement.OPTIONAL || requirement() == KeyRequirement.OBSERVE;
        if (!onlyHeaders || !needsNone) {
            return false;
        }
        try {
            return keys.read(head).isEmpty() && withoutKey(head) instanceof KeyDecision.Unprotected;
        } catch (RefrainException unusable) {
            return false;
        }
    }

    KeyDecision check(EdgeRequest request) {
        Optional<String> sent;
        try {
            sent = keys.read(request).map(route.policy().key().rules()::check);
        } catch (RefrainException unusable) {
            if (requirement() == KeyRequirement.OBSERVE) {
                return observed(ObservedFinding.KEY_UNUSABLE);
            }
            return new KeyDecision.Refused(unusable(unusable));
        }
        return sent.map(key -> keyed(request, key, Optional.empty())).orElseGet(() -> withoutKey(request));
    }

    private KeyDecision withoutKey(EdgeRequest request) {
        return switch (requirement()) {
            case OPTIONAL -> new KeyDecision.Unprotected();
            case OBSERVE -> observed(ObservedFinding.KEY_MISSING);
            case MINT -> minted(request);
            case REQUIRED -> new KeyDecision.Refused(missing());
        };
    }

    private EdgeResponse missing() {
        listener.onEvent(new RefrainEvent.Refused(route.name(), ProblemType.KEY_MISSING.slug()));
        return problems.response(
                ProblemType.KEY_MISSING,
                "Send " + route.policy().key().sources().getFirst()
                        + " with a value that is new for each intent, such as a UUID, and the same for its retries.");
    }

    private EdgeResponse unusable(RefrainException why) {
        listener.onEvent(new RefrainEvent.Refused(route.name(), ProblemType.KEY_MALFORMED.slug()));
        return problems.response(why);
    }

    private KeyDecision minted(EdgeRequest request) {
        String key = UUID.randomUUID().toString();
        listener.onEvent(new RefrainEvent.KeyGenerated(route.name()));
        LOG.log(System.Logger.Level.DEBUG, () -> "A key was made for " + request + ": " + key);
        return keyed(request, key, Optional.of(key));
    }

    private KeyDecision observed(ObservedFinding finding) {
        listener.onEvent(new RefrainEvent.ObservedOnly(route.name(), finding));
        return new KeyDecision.Unprotected();
    }

    private static KeyDecision keyed(EdgeRequest request, String key, Optional<String> minted) {
        var call = OperationCall.scope(request.scope()).key(key).request(request.toFingerprint());
        return new KeyDecision.Keyed(request.subject().map(call::withSubject).orElse(call), minted);
    }

    private KeyRequirement requirement() {
        return route.policy().key().requirement();
    }
}
