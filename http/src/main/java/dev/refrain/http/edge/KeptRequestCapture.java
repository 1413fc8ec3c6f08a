package dev.refrain.http.edge;

import dev.refrain.Refrain;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Payload;
import dev.refrain.http.KeptRequest;
import dev.refrain.http.KeptRequest.KeptBody;
import dev.refrain.http.KeptRequest.SentHeader;
import dev.refrain.http.KeptRequestPolicy;
import dev.refrain.http.KeptRequestRule;
import dev.refrain.http.OperationMode;
import dev.refrain.http.Route;
import dev.refrain.store.StoreAbility;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Captures requests to a route as they were received, for the person who has to decide about their records. Never fails a request: what
 * cannot be captured is not kept. Thread-safe.
 */
final class KeptRequestCapture {

    private static final System.Logger LOG = System.getLogger(KeptRequestCapture.class.getName());
    private static final int MAX_TEXT = 1_000;
    private static final int MAX_HEADER_LINES = 50;

    private final Route route;
    private final KeptRequestPolicy policy;
    private final RedactedJsonFields redacted;
    private final int storeLimit;

    private KeptRequestCapture(Route route, int storeLimit) {
        this.route = route;
        this.policy = route.policy().request().kept();
        this.redacted = new RedactedJsonFields(policy.redactedFields());
        this.storeLimit = storeLimit;
    }

    /**
     * Returns the capture of a route; empty if it keeps nothing.
     *
     * @throws dev.refrain.store.MissingAbilityException if the route always keeps requests and the store cannot
     */
    static Optional<KeptRequestCapture> of(Refrain refrain, Route route) {
        var traits = refrain.admin().storeTraits();
        if (!(route.policy().run().mode() instanceof OperationMode.Leased leased)) {
            return Optional.empty();
        }
        boolean keeps = switch (route.policy().request().kept().rule()) {
            case NEVER -> false;
            case ENCRYPTED -> traits.encrypted() && leased.takeOver() == LeaseExpiryPolicy.HOLD;
            case ALWAYS -> true;
        };
        if (!keeps) {
            return Optional.empty();
        }
        if (route.policy().request().kept().rule() == KeptRequestRule.ALWAYS) {
            refrain.admin().requireAbility(StoreAbility.KEPT_REQUESTS, "keep-request: always of " + route.name());
        } else if (!refrain.admin().abilities().contains(StoreAbility.KEPT_REQUESTS)) {
            LOG.log(
                    System.Logger.Level.INFO,
                    "Requests to {0} are not kept for operators: {1} lacks the ability \"{2}\".",
                    route.name(),
                    traits.name(),
                    StoreAbility.KEPT_REQUESTS.label());
            return Optional.empty();
        }
        return Optional.of(new KeptRequestCapture(route, traits.limits().payloadBytes()));
    }

    /** Returns what is kept of a request; empty if nothing is. Never throws. */
    Optional<Payload> capture(RequestHead head, Payload body) {
        try {
            return policy.redactor()
                    .redact(received(head, body))
                    .map(request -> encoded(request.limitedTo(policy.maxBytes())));
        } catch (RuntimeException | StackOverflowError e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "A request to " + route.name()
                            + " is not kept for operators: redacting it failed. It runs as usual.",
                    e);
            return Optional.empty();
        }
    }

    private Payload encoded(KeptRequest request) {
        var payload = request.encode();
        return payload.size() <= storeLimit
                ? payload
                : request.withoutBody("larger than the store accepts").encode();
    }

    private KeptRequest received(RequestHead head, Payload body) {
        return new KeptRequest(
                head.method(),
                shortened(head.pathWithoutParameters()) + (head.query().isEmpty() ? "" : "?…"),
                headers(head),
                body.size(),
                redacted(body));
    }

    private KeptBody redacted(Payload body) {
        if (redacted.isEmpty() || body.size() == 0) {
            return new KeptBody.WholeBody(body);
        }
        return redacted.replaceIn(body.bytes())
                .<KeptBody>map(bytes -> new KeptBody.WholeBody(Payload.of(bytes)))
                .orElseGet(() -> new KeptBody.WithheldBody(
                        "it is not valid JSON or is a single value, so that its redacted fields cannot be found"));
    }

    private List<SentHeader> headers(RequestHead head) {
        var kept = new ArrayList<SentHeader>();
        for (String name : policy.headers()) {
            for (String value : head.headers(name)) {
                if (kept.size() < MAX_HEADER_LINES) {
                    kept.add(new SentHeader(name, shortened(value)));
                }
            }
        }
        return kept;
    }

    private static String shortened(String text) {
        return text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) + "…" : text;
    }
}
