package dev.refrain.http.edge;

import dev.refrain.api.Payload;
import dev.refrain.api.RefrainException;
import dev.refrain.http.KeySource;
import dev.refrain.http.Route;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainEvent.ObservedFinding;
import dev.refrain.observe.RefrainListener;
import java.util.UUID;

/** Reads the key of a request and responds to requests without a usable one. Thread-safe. */
final class RequestKeyCheck {

    private static final System.Logger LOG = System.getLogger(RequestKeyCheck.class.getName());

    private final Route route;
    private final RequestKeyReader reader;
    private final ProblemResponses problems;
    private final RefrainListener listener;

    RequestKeyCheck(Route route, ProblemResponses problems, RefrainListener listener) {
        this.route = route;
        this.reader = new RequestKeyReader(
                route.policy().key().sources(), route.policy().key().syntax());
        this.problems = problems;
        this.listener = listener;
    }

    /** Returns true if the key can only be in headers, so that the body need not be read to find it. */
    boolean areInHeaders() {
        return route.policy().key().sources().stream().allMatch(KeySource.Header.class::isInstance);
    }

    SentKey read(RequestHead head, Payload body) {
        try {
            return reader.read(head, body)
                    .map(route.policy().key().rules()::check)
                    .<SentKey>map(SentKey.UsableKey::new)
                    .orElseGet(SentKey.MissingKey::new);
        } catch (RefrainException unusable) {
            return new SentKey.UnusableKey(unusable);
        }
    }

    EdgeResponse missing() {
        listener.onEvent(new RefrainEvent.Refused(route.name(), EdgeProblem.KEY_MISSING.slug()));
        return problems.response(
                EdgeProblem.KEY_MISSING,
                "Send " + route.policy().key().sources().getFirst()
                        + " with a value that is new for each intent, such as a UUID, and the same for its retries.");
    }

    EdgeResponse unusable(RefrainException why) {
        listener.onEvent(new RefrainEvent.Refused(route.name(), EdgeProblem.KEY_MALFORMED.slug()));
        return problems.response(why);
    }

    String mint(RequestHead head) {
        String key = UUID.randomUUID().toString();
        listener.onEvent(new RefrainEvent.KeyGenerated(route.name()));
        LOG.log(System.Logger.Level.DEBUG, () -> "Generated a key for " + head + ": " + key);
        return key;
    }

    void observed(ObservedFinding finding) {
        listener.onEvent(new RefrainEvent.ObservedOnly(route.name(), finding));
    }
}
