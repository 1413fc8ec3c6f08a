package dev.refrain.gateway;

import dev.refrain.api.Payload;
import dev.refrain.gateway.GatewayRuleSet.ProtectedRoute;
import dev.refrain.gateway.config.UpstreamPolicy.ForwardedKey;
import dev.refrain.gateway.config.UpstreamPolicy.ServerErrorMeaning;
import dev.refrain.gateway.config.UpstreamPolicy.UnansweredPolicy;
import dev.refrain.http.KeySource;
import dev.refrain.http.edge.LeasedExchange;
import org.eclipse.jetty.client.BytesRequestContent;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.greenbytes.http.sfv.StringItem;

/**
 * Forwards a claimed request to the upstream and decides by the route's policy what a missing response means:
 *
 * <ol>
 *   <li>No byte was sent: nothing happened.
 *   <li>Sent, not answered (or answered 5xx, which says no more): it is sent again under the same key if the service knows keys; it is
 *       asked about if the service can be asked; otherwise a person has to find out.
 * </ol>
 */
final class UpstreamForwarder {

    private static final String STEP = "upstream";

    private final UpstreamProxy proxy;
    private final Request request;
    private final Payload body;
    private final ProtectedRoute route;
    private final LeasedExchange exchange;

    UpstreamForwarder(
            UpstreamProxy proxy, Request request, Payload body, ProtectedRoute route, LeasedExchange exchange) {
        this.proxy = proxy;
        this.request = request;
        this.body = body;
        this.route = route;
        this.exchange = exchange;
    }

    /** Result of forwarding a request. */
    sealed interface ForwardResult {
        /** Response of the upstream, kept or not. */
        record Answered(UpstreamResult.Answered answer) implements ForwardResult {}

        /** Failure before any byte was sent. */
        record NotSent(Throwable why) implements ForwardResult {}

        /** Missing response to a request that may be sent again under the same key. */
        record Resendable(Throwable why) implements ForwardResult {}

        /** Missing response to a request that has to be looked up later, because it may still be on its way. */
        record LookUpLater(Throwable why) implements ForwardResult {}

        /** Missing response to a request whose outcome cannot be found out here. */
        record Unknown(Throwable why) implements ForwardResult {}
    }

    ForwardResult run() {
        var unanswered = route.upstream().onUnanswered();
        if (exchange.claim().isResumed() && unanswered instanceof UnansweredPolicy.LookUp lookUp) {
            // Whoever was here before may have sent it.
            var known = lookUp(lookUp);
            if (!(known instanceof LookupResult.NotFound)) {
                return known.toForwardResult();
            }
        }
        if (exchange.claim().isResumed() && mayHaveExpiredUpstream(unanswered)) {
            return new ForwardResult.Unknown(new UpstreamKeyExpiredException());
        }
        var reached = send();
        if (unanswered instanceof UnansweredPolicy.Resend
                && reached instanceof UpstreamResult.Unanswered first
                && !isInterrupted(first.why())) {
            if (mayHaveExpiredUpstream(unanswered)) {
                return new ForwardResult.Unknown(first.why());
            }
            reached = send();
            if (reached instanceof UpstreamResult.NotSent) {
                return new ForwardResult.Resendable(first.why());
            }
        }
        return toForwardResult(reached, unanswered);
    }

    /**
     * Returns whether the upstream's memory of the key may have expired before the request arrives again, which would make it take effect
     * twice.
     */
    private boolean mayHaveExpiredUpstream(UnansweredPolicy unanswered) {
        var kept = route.protection().policy().replay().retention().duration();
        // Without a life there is no record: the store was away, and nobody knows of anything that was sent before.
        var age = exchange.claim().minRemainingLife().flatMap(left -> kept.map(whole -> whole.minus(left)));
        return unanswered instanceof UnansweredPolicy.Resend again
                && age.isPresent()
                && age.get().plus(route.upstream().timeout()).compareTo(again.honoured()) > 0;
    }

    private ForwardResult toForwardResult(UpstreamResult reached, UnansweredPolicy unanswered) {
        return switch (reached) {
            case UpstreamResult.NotSent notSent -> new ForwardResult.NotSent(notSent.why());
            case UpstreamResult.Unanswered silent -> unanswered(silent.why(), unanswered);
            case UpstreamResult.Answered answered -> {
                int status = answered.answer().status();
                boolean unclear = status >= 500
                        && route.upstream().serverErrors() == ServerErrorMeaning.UNKNOWN
                        && !route.upstream().noEffectStatuses().contains(status)
                        && !(unanswered instanceof UnansweredPolicy.Resend);
                yield unclear ? unclear(answered, unanswered) : new ForwardResult.Answered(answered);
            }
        };
    }

    private ForwardResult unclear(UpstreamResult.Answered answered, UnansweredPolicy unanswered) {
        if (answered.steering().isPresent()) {
            // It says itself what it means.
            return new ForwardResult.Answered(answered);
        }
        var why = new AmbiguousResponseException(answered.answer().status());
        answered.discard();
        return unanswered(why, unanswered);
    }

    private ForwardResult unanswered(Throwable why, UnansweredPolicy unanswered) {
        return switch (unanswered) {
            case UnansweredPolicy.Hold hold -> new ForwardResult.Unknown(why);
            case UnansweredPolicy.Resend again -> new ForwardResult.Resendable(why);
            case UnansweredPolicy.LookUp lookUp -> {
                var known = isInterrupted(why) ? new LookupResult.Inconclusive(why) : lookUp(lookUp);
                yield known instanceof LookupResult.NotFound
                        ? new ForwardResult.LookUpLater(why)
                        : known.toForwardResult();
            }
        };
    }

    /** Returns whether the call ended because the gateway stops, which leaves no time for another one. */
    private static boolean isInterrupted(Throwable why) {
        return why instanceof InterruptedException;
    }

    private UpstreamResult send() {
        var prepared = proxy.prepare(request);
        forwardKey(prepared);
        if (body.size() > 0) {
            String type = request.getHeaders().get(HttpHeader.CONTENT_TYPE);
            prepared.body(
                    type == null ? new BytesRequestContent(body.bytes()) : new BytesRequestContent(type, body.bytes()));
        }
        return UpstreamCall.send(
                prepared,
                route.upstream().timeout(),
                route.protection().policy().replay().maxBytes());
    }

    private void forwardKey(org.eclipse.jetty.client.Request prepared) {
        // To observe must not change what the service behind sees.
        if (route.protection().observes()) {
            return;
        }
        if (route.upstream().key() == ForwardedKey.CLIENT) {
            // One that was made here is not in the client's request.
            exchange.extraHeaders()
                    .forEach(made -> prepared.headers(headers -> headers.put(made.name(), made.value())));
            return;
        }
        for (var source : route.protection().policy().key().sources()) {
            if (source instanceof KeySource.Header header) {
                prepared.headers(headers -> headers.remove(header.name()));
            }
        }
        if (route.upstream().key() == ForwardedKey.DERIVED) {
            prepared.headers(headers -> headers.put(
                    "Idempotency-Key",
                    StringItem.valueOf(exchange.claim().derivedKey(STEP)).serialize()));
        }
    }

    /** Result of looking up a request that may have been sent. */
    private sealed interface LookupResult {
        ForwardResult toForwardResult();

        record Found(UpstreamResult.Answered answer) implements LookupResult {
            @Override
            public ForwardResult toForwardResult() {
                return new ForwardResult.Answered(answer);
            }
        }

        record NotFound() implements LookupResult {
            @Override
            public ForwardResult toForwardResult() {
                throw new IllegalStateException("A request that was not found has no result to forward.");
            }
        }

        record Inconclusive(Throwable why) implements LookupResult {
            @Override
            public ForwardResult toForwardResult() {
                return new ForwardResult.LookUpLater(why);
            }
        }
    }

    private LookupResult lookUp(UnansweredPolicy.LookUp lookUp) {
        String path = lookUp.path().expand(key());
        var reached = UpstreamCall.send(
                proxy.prepareLookUp(request, path),
                route.upstream().timeout(),
                route.protection().policy().replay().maxBytes());
        return switch (reached) {
            case UpstreamResult.NotSent notSent -> new LookupResult.Inconclusive(notSent.why());
            case UpstreamResult.Unanswered silent -> new LookupResult.Inconclusive(silent.why());
            case UpstreamResult.Answered answered -> {
                int status = answered.answer().status();
                if (status >= 200 && status < 300) {
                    yield new LookupResult.Found(answered);
                }
                var why = new AmbiguousResponseException(status);
                answered.discard();
                yield status == 404 ? new LookupResult.NotFound() : new LookupResult.Inconclusive(why);
            }
        };
    }

    /** Returns the key that is sent to the upstream. */
    private String key() {
        return route.upstream().key() == ForwardedKey.CLIENT
                ? exchange.key()
                : exchange.claim().derivedKey(STEP);
    }
}
