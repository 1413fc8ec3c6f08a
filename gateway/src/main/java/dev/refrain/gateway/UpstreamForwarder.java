package dev.refrain.gateway;

import dev.refrain.api.Payload;
import dev.refrain.gateway.GatewayRuleSet.ProtectedRoute;
import dev.refrain.gateway.UpstreamOutcomeHeader.SteeredOutcome;
import dev.refrain.gateway.internal.config.UpstreamPolicy;
import dev.refrain.gateway.internal.config.UpstreamPolicy.ForwardedKey;
import dev.refrain.gateway.internal.config.UpstreamPolicy.ServerErrorMeaning;
import dev.refrain.gateway.internal.config.UpstreamPolicy.UnansweredPolicy;
import dev.refrain.http.KeySource;
import dev.refrain.http.edge.BufferReservation;
import dev.refrain.http.edge.LeasedExchange;
import dev.refrain.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.client.BytesRequestContent;
import org.eclipse.jetty.server.Request;
import org.greenbytes.http.sfv.StringItem;
import org.jspecify.annotations.Nullable;

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

    /** Returns the steps under whose derived keys a route calls its upstream. */
    static List<String> steps(UpstreamPolicy upstream) {
        return upstream.key() == ForwardedKey.DERIVED ? List.of(STEP) : List.of();
    }

    private final UpstreamProxy proxy;
    private final Request request;
    private final Payload body;
    private final ProtectedRoute route;
    private final LeasedExchange exchange;
    private final BufferReservation memory;
    private final long begun = System.nanoTime();
    private volatile boolean mayHaveSentBefore;
    private volatile boolean overran;
    private volatile @Nullable UpstreamCall calling;

    UpstreamForwarder(
            UpstreamProxy proxy,
            Request request,
            Payload body,
            ProtectedRoute route,
            LeasedExchange exchange,
            BufferReservation memory) {
        this.proxy = proxy;
        this.request = request;
        this.body = body;
        this.route = route;
        this.exchange = exchange;
        this.memory = memory;
    }

    /** Result of forwarding a request. */
    sealed interface ForwardResult {
        /** Response of the upstream, kept or not, and its wish for it. */
        record Answered(UpstreamResult.Answered answer, Optional<SteeredOutcome> steered) implements ForwardResult {}

        /** Failure before any byte was sent. */
        record NotSent(Throwable why) implements ForwardResult {}

        /** Missing response to a request that may be sent again under the same key. */
        record Resendable(Throwable why) implements ForwardResult {}

        /** Missing response to a request that has to be looked up later, because it may still be on its way. */
        record LookUpLater(Throwable why) implements ForwardResult {}

        /** Missing response to a request whose outcome cannot be found out here. */
        record Unknown(Throwable why) implements ForwardResult {}
    }

    /** Forwards it. At the route's maximum run time a call that is not answered is ended: its outcome is unknown, as after a time-out. */
    ForwardResult run() {
        exchange.endAtMaxRunTime(this::overrun);
        var unanswered = route.upstream().onUnanswered();
        if (exchange.claim().isResumed() && unanswered instanceof UnansweredPolicy.LookUp lookUp) {
            // An earlier attempt may have sent it.
            var known = lookUp(lookUp);
            if (!(known instanceof LookupResult.NotFound)) {
                return known.toForwardResult();
            }
        }
        if (exchange.claim().isResumed() && mayHaveExpiredUpstream(unanswered)) {
            return new ForwardResult.Unknown(new UpstreamKeyExpiredException());
        }
        mayHaveSentBefore = exchange.claim().isResumed() && unanswered instanceof UnansweredPolicy.Resend;
        var reached = send();
        if (mayHaveSentBefore && reached instanceof UpstreamResult.NotSent now) {
            return new ForwardResult.Resendable(now.why());
        }
        if (unanswered instanceof UnansweredPolicy.Resend
                && reached instanceof UpstreamResult.Unanswered first
                && !leavesNoTime(first.why())) {
            if (mayHaveExpiredUpstream(unanswered)) {
                return new ForwardResult.Unknown(first.why());
            }
            mayHaveSentBefore = true;
            reached = send();
            if (reached instanceof UpstreamResult.NotSent) {
                return new ForwardResult.Resendable(first.why());
            }
        }
        return toForwardResult(reached, unanswered);
    }

    private void overrun() {
        overran = true;
        var call = calling;
        if (call != null) {
            call.end(new TimeoutException("The maximum run time of the route is over."));
        }
    }

    private UpstreamResult call(org.eclipse.jetty.client.Request prepared) {
        UpstreamConnectionQueue.Turn turn;
        try {
            turn = proxy.queue().join(exchange.scope(), route.upstream().timeout());
        } catch (UpstreamBusyException busy) {
            return new UpstreamResult.NotSent(busy);
        }
        var call = UpstreamCall.of(
                prepared,
                turn,
                proxy.sentBytes(),
                route.upstream().timeout(),
                route.protection().policy().replay().maxOutcomeBytes(),
                memory);
        calling = call;
        if (overran) {
            overrun();
        }
        return call.send();
    }

    /**
     * Returns whether the request may have been sent before its last response, by this run or an earlier one, and was not answered: then a
     * response that says that nothing happened speaks for its own call alone. Known once {@link #run} has returned.
     */
    boolean mayHaveSentBefore() {
        return mayHaveSentBefore;
    }

    /**
     * Returns whether the upstream's memory of the key may have expired before the request arrives again, which would make it take effect
     * twice.
     */
    private boolean mayHaveExpiredUpstream(UnansweredPolicy unanswered) {
        if (!(unanswered instanceof UnansweredPolicy.Resend again)) {
            return false;
        }
        var age = exchange.claim().isResumed() ? ageOfRecord() : Optional.of(ageOfClaim());
        return age.isEmpty() || age.get().plus(route.upstream().timeout()).compareTo(again.honoured()) > 0;
    }

    /** Returns the time since the record's first claim, which may have been made under another configuration; empty if it is unknown. */
    private Optional<Duration> ageOfRecord() {
        try {
            return exchange.readAge();
        } catch (StoreException away) {
            return Optional.empty();
        }
    }

    /** Returns the time since this request's own claim, which is the record's first. */
    private Duration ageOfClaim() {
        var kept = route.protection().policy().replay().retention().duration();
        var elapsed = Duration.ofNanos(System.nanoTime() - begun);
        return exchange.claim()
                .minRemainingLife()
                .flatMap(left -> kept.map(whole -> whole.minus(left)))
                .filter(byRecord -> byRecord.compareTo(elapsed) > 0)
                .orElse(elapsed);
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
                var steered = steered(answered);
                // A service that steers its response says itself what it means.
                yield unclear && steered.isEmpty()
                        ? unclear(answered, unanswered)
                        : new ForwardResult.Answered(answered, steered);
            }
        };
    }

    private Optional<SteeredOutcome> steered(UpstreamResult.Answered answered) {
        return GatewayRuleSet.of(request)
                .outcomeHeader()
                .read(route.protection().route().name(), answered.steering());
    }

    private ForwardResult unclear(UpstreamResult.Answered answered, UnansweredPolicy unanswered) {
        var why = new AmbiguousResponseException(answered.answer().status());
        answered.discard();
        return unanswered(why, unanswered);
    }

    private ForwardResult unanswered(Throwable why, UnansweredPolicy unanswered) {
        return switch (unanswered) {
            case UnansweredPolicy.Hold hold -> new ForwardResult.Unknown(why);
            case UnansweredPolicy.Resend again -> new ForwardResult.Resendable(why);
            case UnansweredPolicy.LookUp lookUp -> {
                var known = leavesNoTime(why) ? new LookupResult.Inconclusive(why) : lookUp(lookUp);
                yield known instanceof LookupResult.NotFound
                        ? new ForwardResult.LookUpLater(why)
                        : known.toForwardResult();
            }
        };
    }

    /** Returns whether there is no time for another call: the gateway stops, or the maximum run time is over. */
    private boolean leavesNoTime(Throwable why) {
        return overran || why instanceof InterruptedException;
    }

    private UpstreamResult send() {
        org.eclipse.jetty.client.Request prepared;
        try {
            prepared = proxy.prepare(request);
            forwardKey(prepared);
            if (body.size() > 0) {
                // Its type is among the headers, if the client sent one.
                prepared.body(new BytesRequestContent((String) null, body.bytes()));
            }
        } catch (RuntimeException notPrepared) {
            return new UpstreamResult.NotSent(notPrepared);
        }
        return call(prepared);
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

        record Found(ForwardResult.Answered answer) implements LookupResult {
            @Override
            public ForwardResult toForwardResult() {
                return answer;
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
        var reached = call(proxy.prepareLookUp(request, path));
        return switch (reached) {
            case UpstreamResult.NotSent notSent -> new LookupResult.Inconclusive(notSent.why());
            case UpstreamResult.Unanswered silent -> new LookupResult.Inconclusive(silent.why());
            case UpstreamResult.Answered answered -> {
                int status = answered.answer().status();
                if (status >= 200 && status < 300) {
                    yield new LookupResult.Found(new ForwardResult.Answered(answered, steered(answered)));
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
