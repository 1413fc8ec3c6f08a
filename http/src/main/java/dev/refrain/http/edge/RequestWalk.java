package dev.refrain.http.edge;

import dev.refrain.OperationCall;
import dev.refrain.api.Payload;
import dev.refrain.http.KeyRequirement;
import dev.refrain.http.edge.RequestStep.ResolveScope.FoundScope;
import dev.refrain.observe.RefrainEvent.ObservedFinding;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The life of one request to a protected route, from its head to its claim: {@link #STAGES}, in that order, for every edge. A stage
 * either lets the request go on, or gives what the edge has to do next. Nothing is claimed before the last one. One per request.
 */
final class RequestWalk {

    private static final Payload NOTHING = Payload.of(new byte[0]);

    private static final List<Stage> STAGES = List.of(
            RequestWalk::readKeyInHeaders,
            RequestWalk::passWithoutKey,
            RequestWalk::resolveScope,
            RequestWalk::checkKey,
            RequestWalk::readBody,
            RequestWalk::readKeyInBody,
            RequestWalk::checkKey,
            RequestWalk::askStore);

    @FunctionalInterface
    private interface Stage {

        /** Gives what the edge does next; empty to go on to the next stage. */
        Optional<RequestStep> enter(RequestWalk walk);
    }

    private final RouteProtection protection;
    private final RequestKeyCheck keys;
    private final RequestHead head;
    private int next;
    private @Nullable SentKey key;
    private String scope = "";
    private Payload body = NOTHING;

    RequestWalk(RouteProtection protection, RequestKeyCheck keys, RequestHead head) {
        this.protection = protection;
        this.keys = keys;
        this.head = head;
    }

    RequestStep proceed() {
        while (next < STAGES.size()) {
            var step = STAGES.get(next++).enter(this);
            if (step.isPresent()) {
                return step.get();
            }
        }
        throw new IllegalStateException("The walk of " + head + " is over: each of its steps is answered once.");
    }

    /** The key is parsed here, or after the body where it may be in there. */
    private Optional<RequestStep> readKeyInHeaders() {
        if (keys.areInHeaders()) {
            key = keys.read(head, NOTHING);
        }
        return Optional.empty();
    }

    /** Without a key that is not needed the request passes, whoever sends it, and its body is not read. */
    private Optional<RequestStep> passWithoutKey() {
        boolean required = requirement() == KeyRequirement.REQUIRED;
        return key instanceof SentKey.MissingKey && !required ? withoutKey() : Optional.empty();
    }

    private Optional<RequestStep> resolveScope() {
        return Optional.of(new RequestStep.ResolveScope(this::scopeResolved));
    }

    private RequestStep scopeResolved(FoundScope found) {
        return switch (found) {
            case FoundScope.KnownScope known -> {
                scope = known.scope();
                yield proceed();
            }
            case FoundScope.UnknownScope unknown -> unlessObserved(protection::unknownCallerResponse);
            case FoundScope.UnavailableScope away -> unlessObserved(protection::unavailableCallerResponse);
        };
    }

    /** Refuses a request that has no key it can be run under, as soon as that is known: if possible before its body is sent. */
    private Optional<RequestStep> checkKey() {
        if (key instanceof SentKey.UnusableKey unusable) {
            return observes() ? observed(ObservedFinding.KEY_UNUSABLE) : refused(keys.unusable(unusable.why()));
        }
        return key instanceof SentKey.MissingKey ? withoutKey() : Optional.empty();
    }

    private Optional<RequestStep> readBody() {
        return Optional.of(new RequestStep.ReadBody(
                protection.policy().request().maxBytes(),
                read -> {
                    body = read;
                    return proceed();
                },
                () -> unlessObserved(protection::tooLargeResponse)));
    }

    private Optional<RequestStep> readKeyInBody() {
        if (key == null) {
            key = keys.read(head, body);
        }
        return Optional.empty();
    }

    private Optional<RequestStep> askStore() {
        return Optional.of(new RequestStep.AskStore(() -> protection.claim(keyed())));
    }

    private KeyedRequest keyed() {
        var minted = key instanceof SentKey.UsableKey ? Optional.<String>empty() : Optional.of(keys.mint(head));
        String used = key instanceof SentKey.UsableKey usable ? usable.key() : minted.orElseThrow();
        return new KeyedRequest(
                OperationCall.scope(scope).key(used).request(head.withBody(body)),
                minted,
                head.headerSays("Prefer", "respond-async"));
    }

    /** What becomes of a request without a key; one that is made for it is made by the claim. */
    private Optional<RequestStep> withoutKey() {
        return switch (requirement()) {
            case OPTIONAL -> Optional.of(RequestDecision.PassThrough.unprotected());
            case OBSERVE -> observed(ObservedFinding.KEY_MISSING);
            case MINT -> Optional.empty();
            case REQUIRED -> refused(keys.missing());
        };
    }

    private Optional<RequestStep> observed(ObservedFinding finding) {
        keys.observed(finding);
        return Optional.of(new RequestDecision.PassThrough(new ResponseOrigin.OnlyObserved()));
    }

    private static Optional<RequestStep> refused(EdgeResponse why) {
        return Optional.of(new RequestDecision.ImmediateResponse(why));
    }

    private RequestStep unlessObserved(Supplier<EdgeResponse> refusal) {
        return observes()
                ? new RequestDecision.PassThrough(new ResponseOrigin.OnlyObserved())
                : new RequestDecision.ImmediateResponse(refusal.get());
    }

    private boolean observes() {
        return requirement() == KeyRequirement.OBSERVE;
    }

    private KeyRequirement requirement() {
        return protection.policy().key().requirement();
    }
}
