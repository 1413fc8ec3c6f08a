package dev.refrain.http.edge;

import dev.refrain.OperationCall;
import dev.refrain.api.Payload;
import dev.refrain.api.TraceId;
import dev.refrain.http.KeyRequirement;
import dev.refrain.http.edge.RequestStep.ResolveScope.FoundScope;
import dev.refrain.observe.RefrainEvent.ObservedFinding;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Processing of one request to a protected route, from its head to its claim: {@link #STAGES}, in that order, for every edge. A
 * stage either lets the request continue or returns the edge's next step. Only the last stage claims the key. One instance per
 * request.
 */
final class RequestWalk {

    private static final Payload NOTHING = Payload.of(new byte[0]);

    private static final List<Stage> STAGES = List.of(
            RequestWalk::readKeyInHeaders,
            RequestWalk::passWithoutKey,
            RequestWalk::resolveScope,
            RequestWalk::checkKey,
            RequestWalk::checkTarget,
            RequestWalk::checkCapacity,
            RequestWalk::readBody,
            RequestWalk::readKeyInBody,
            RequestWalk::checkKey,
            RequestWalk::askStore);

    @FunctionalInterface
    private interface Stage {

        /** Returns the edge's next step; empty to continue with the next stage. */
        Optional<RequestStep> enter(RequestWalk walk);
    }

    private final RouteProtection protection;
    private final RequestKeyCheck keys;
    private final RequestHead head;
    private final BufferReservation memory;
    private int next;
    private @Nullable SentKey key;
    private String scope = "";
    private Optional<String> caller = Optional.empty();
    private Payload body = NOTHING;

    RequestWalk(RouteProtection protection, RequestKeyCheck keys, RequestHead head, BufferReservation memory) {
        this.protection = protection;
        this.keys = keys;
        this.head = head;
        this.memory = memory;
    }

    RequestStep proceed() {
        while (next < STAGES.size()) {
            var step = STAGES.get(next++).enter(this);
            if (step.isPresent()) {
                return step.get();
            }
        }
        throw new IllegalStateException(
                "A step of " + head + " was answered twice. Pass exactly one result to each step.");
    }

    /** Reads the key here if it can only be in headers; otherwise it is read after the body. */
    private Optional<RequestStep> readKeyInHeaders() {
        if (keys.areInHeaders()) {
            key = keys.read(head, NOTHING);
        }
        return Optional.empty();
    }

    /** Passes a request without a key through if the route needs none, for any caller and without reading the body. */
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
                memory.ownedBy(scope);
                caller = known.caller();
                yield proceed();
            }
            case FoundScope.UnknownScope unknown -> unlessObserved(protection::unknownCallerResponse);
            case FoundScope.UnavailableScope away -> unlessObserved(protection::unavailableCallerResponse);
        };
    }

    /** Rejects a request without a usable key as early as possible: before the body is sent, if its headers are enough. */
    private Optional<RequestStep> checkKey() {
        if (key instanceof SentKey.UnusableKey unusable) {
            return observes() ? observed(ObservedFinding.KEY_UNUSABLE) : refused(keys.unusable(unusable.why()));
        }
        return key instanceof SentKey.MissingKey ? withoutKey() : Optional.empty();
    }

    /** Rejects a target that could be told from others by nobody: two requests would be taken for one. */
    private Optional<RequestStep> checkTarget() {
        return head.isUndecodable()
                ? Optional.of(unlessObserved(protection::undecodableTargetResponse))
                : Optional.empty();
    }

    /** Rejects a request before it is read if its claim would be refused: reading what nobody will run is the costly part. */
    private Optional<RequestStep> checkCapacity() {
        return protection.isOverloaded(scope)
                ? Optional.of(unlessObserved(protection::overloadedResponse))
                : Optional.empty();
    }

    private Optional<RequestStep> readBody() {
        return Optional.of(new RequestStep.ReadBody(
                protection.policy().request().maxRequestBytes(),
                memory,
                read -> {
                    body = read;
                    return proceed();
                },
                () -> unlessObserved(protection::tooLargeResponse),
                () -> unlessObserved(protection::buffersFullResponse)));
    }

    private Optional<RequestStep> readKeyInBody() {
        if (key == null) {
            key = keys.read(head, body);
        }
        return Optional.empty();
    }

    private Optional<RequestStep> askStore() {
        return Optional.of(new RequestStep.AskStore(() -> buffered(protection.claim(keyed()))));
    }

    /** Requires memory for a stored response until it is sent. Without it nothing is lost: it can be asked for again. */
    private RequestDecision buffered(RequestDecision decision) {
        return decision instanceof RequestDecision.ImmediateResponse answered
                        && !memory.tryHold(answered.reply().body().size())
                ? new RequestDecision.ImmediateResponse(protection.buffersFullResponse())
                : decision;
    }

    private KeyedRequest keyed() {
        var minted = key instanceof SentKey.UsableKey ? Optional.<String>empty() : Optional.of(keys.mint(head));
        String used = key instanceof SentKey.UsableKey usable ? usable.key() : minted.orElseThrow();
        return new KeyedRequest(
                head.toString(),
                call(used),
                protection.policy().key().logged(),
                minted,
                head.headerSays("Prefer", "respond-async"),
                memory);
    }

    private OperationCall call(String used) {
        var call = OperationCall.scope(scope)
                .key(used)
                .request(head.withBody(memory.turns().of(body)))
                .withOperationName(head.method() + " " + protection.route().path())
                .withSteps(protection.steps());
        var kept = protection
                .capture()
                .map(capture -> call.withKeptRequest(() -> capture.capture(head, body)))
                .orElse(call);
        var named = caller.map(kept::withCaller).orElse(kept);
        return head.headers("traceparent").stream()
                .findFirst()
                .flatMap(TraceId::ofTraceparent)
                .map(named::withTraceId)
                .orElse(named);
    }

    /** Handles a request without a key; a generated key is created later, by the claim. */
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
