package dev.refrain.gateway;

import dev.refrain.gateway.Rules.Guarded;
import dev.refrain.gateway.UpstreamRules.ForwardedKey;
import dev.refrain.gateway.UpstreamRules.ServerErrors;
import dev.refrain.gateway.UpstreamRules.Unanswered;
import dev.refrain.http.Exchange;
import dev.refrain.http.key.KeySource;
import dev.refrain.outcome.Payload;
import org.eclipse.jetty.client.BytesRequestContent;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.greenbytes.http.sfv.StringItem;

/**
 * A claimed request on its way to the service behind and back. The rules of its route say what to do if there is no answer:
 *
 * <ol>
 *   <li>No byte was sent: nothing happened.
 *   <li>Sent, not answered (or answered 5xx, which says no more): it is sent again under the same key if the service knows keys; it is
 *       asked about if the service can be asked; otherwise a person has to find out.
 * </ol>
 */
final class Crossing {

    private static final String STEP = "upstream";

    private final UpstreamProxy proxy;
    private final Request request;
    private final Payload body;
    private final Guarded route;
    private final Exchange exchange;

    Crossing(UpstreamProxy proxy, Request request, Payload body, Guarded route, Exchange exchange) {
        this.proxy = proxy;
        this.request = request;
        this.body = body;
        this.route = route;
        this.exchange = exchange;
    }

    /** What came of it. */
    sealed interface Crossed {
        /** This is the answer, whatever becomes of it. */
        record Answered(Reached.Answered answer) implements Crossed {}

        /** No byte was sent. */
        record NotSent(Throwable why) implements Crossed {}

        /** It may be sent again under the same key. */
        record MaySendAgain(Throwable why) implements Crossed {}

        /** It is to be asked about later: what the service has not got now may still be on its way to it. */
        record AskLater(Throwable why) implements Crossed {}

        /** Nobody here can find out. */
        record Unknown(Throwable why) implements Crossed {}
    }

    Crossed run() {
        var unanswered = route.upstream().onUnanswered();
        if (exchange.claim().isResumed() && unanswered instanceof Unanswered.LookUp lookUp) {
            // Whoever was here before may have sent it.
            var known = lookUp(lookUp);
            if (!(known instanceof Known.Absent)) {
                return known.told();
            }
        }
        if (exchange.claim().isResumed() && mayHaveExpiredUpstream(unanswered)) {
            return new Crossed.Unknown(new ForgottenKeyException());
        }
        var reached = send();
        if (unanswered instanceof Unanswered.SendAgain
                && reached instanceof Reached.Unanswered first
                && !isInterrupted(first.why())) {
            if (mayHaveExpiredUpstream(unanswered)) {
                return new Crossed.Unknown(first.why());
            }
            reached = send();
            if (reached instanceof Reached.NotSent) {
                return new Crossed.MaySendAgain(first.why());
            }
        }
        return told(reached, unanswered);
    }

    /** Whether the service may have forgotten the key by the time it is given it again: it would take effect a second time. */
    private boolean mayHaveExpiredUpstream(Unanswered unanswered) {
        var kept = route.protection().policy().replay().retention().duration();
        // Without a life there is no record: the store was away, and nobody knows of anything that was sent before.
        var age = exchange.claim().minRemainingLife().flatMap(left -> kept.map(whole -> whole.minus(left)));
        return unanswered instanceof Unanswered.SendAgain again
                && age.isPresent()
                && age.get().plus(route.upstream().timeout()).compareTo(again.honoured()) > 0;
    }

    private Crossed told(Reached reached, Unanswered unanswered) {
        return switch (reached) {
            case Reached.NotSent notSent -> new Crossed.NotSent(notSent.why());
            case Reached.Unanswered silent -> unanswered(silent.why(), unanswered);
            case Reached.Answered answered -> {
                int status = answered.answer().status();
                boolean unclear = status >= 500
                        && route.upstream().serverErrors() == ServerErrors.UNKNOWN
                        && !route.upstream().noEffectStatuses().contains(status)
                        && !(unanswered instanceof Unanswered.SendAgain);
                yield unclear ? unclear(answered, unanswered) : new Crossed.Answered(answered);
            }
        };
    }

    private Crossed unclear(Reached.Answered answered, Unanswered unanswered) {
        if (answered.steering().isPresent()) {
            // It says itself what it means.
            return new Crossed.Answered(answered);
        }
        var why = new UnclearAnswerException(answered.answer().status());
        answered.discard();
        return unanswered(why, unanswered);
    }

    private Crossed unanswered(Throwable why, Unanswered unanswered) {
        return switch (unanswered) {
            case Unanswered.Hold hold -> new Crossed.Unknown(why);
            case Unanswered.SendAgain again -> new Crossed.MaySendAgain(why);
            case Unanswered.LookUp lookUp -> {
                var known = isInterrupted(why) ? new Known.Unclear(why) : lookUp(lookUp);
                yield known instanceof Known.Absent ? new Crossed.AskLater(why) : known.told();
            }
        };
    }

    /** At a stop there is no time to send or to ask once more. */
    private static boolean isInterrupted(Throwable why) {
        return why instanceof InterruptedException;
    }

    private Reached send() {
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
            exchange.extraHeaders().forEach(made -> prepared.headers(headers -> headers.put(made.name(), made.value())));
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

    /** What the service behind says of a request that may have been sent. */
    private sealed interface Known {
        Crossed told();

        record Done(Reached.Answered answer) implements Known {
            @Override
            public Crossed told() {
                return new Crossed.Answered(answer);
            }
        }

        record Absent() implements Known {
            @Override
            public Crossed told() {
                throw new IllegalStateException("It is not there.");
            }
        }

        record Unclear(Throwable why) implements Known {
            @Override
            public Crossed told() {
                return new Crossed.AskLater(why);
            }
        }
    }

    private Known lookUp(Unanswered.LookUp lookUp) {
        String path = lookUp.path().expand(key());
        var reached = UpstreamCall.send(
                proxy.prepareLookUp(request, path),
                route.upstream().timeout(),
                route.protection().policy().replay().maxBytes());
        return switch (reached) {
            case Reached.NotSent notSent -> new Known.Unclear(notSent.why());
            case Reached.Unanswered silent -> new Known.Unclear(silent.why());
            case Reached.Answered answered -> {
                int status = answered.answer().status();
                if (status >= 200 && status < 300) {
                    yield new Known.Done(answered);
                }
                var why = new UnclearAnswerException(status);
                answered.discard();
                yield status == 404 ? new Known.Absent() : new Known.Unclear(why);
            }
        };
    }

    /** The key that the service behind was told. */
    private String key() {
        return route.upstream().key() == ForwardedKey.CLIENT
                ? exchange.key()
                : exchange.claim().derivedKey(STEP);
    }
}
