package dev.refrain.gateway;

import dev.refrain.api.Outcome.Answer;
import dev.refrain.api.OutcomeHeader;
import dev.refrain.api.Payload;
import dev.refrain.gateway.GatewayRuleSet.ProtectedRoute;
import dev.refrain.gateway.UpstreamForwarder.ForwardResult;
import dev.refrain.gateway.config.UpstreamPolicy;
import dev.refrain.http.edge.EdgeResponse;
import dev.refrain.http.edge.LeasedExchange;
import dev.refrain.http.edge.ProblemResponses;
import dev.refrain.http.edge.ResponseBodyRules;
import dev.refrain.http.edge.ResponseDecision;
import dev.refrain.http.edge.ResponseOrigin;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A claimed request: it goes to the service behind, what came of it is stored, and then the client is told. */
final class ProtectedRequestRun {

    private static final System.Logger LOG = System.getLogger(ProtectedRequestRun.class.getName());
    private static final int PIECE = 16 << 10;

    private final LeasedExchange exchange;
    private final UpstreamForwarder crossing;
    private final ProtectedRoute route;
    private final ProblemResponses problems;
    private final ClientReplyStream client;

    ProtectedRequestRun(
            LeasedExchange exchange,
            UpstreamForwarder crossing,
            ProtectedRoute route,
            ProblemResponses problems,
            ClientReplyStream client) {
        this.exchange = exchange;
        this.crossing = crossing;
        this.route = route;
        this.problems = problems;
        this.client = client;
    }

    void run() {
        client.recordOutcome(GatewayRequestOutcome.FIRST);
        switch (crossed()) {
            case ForwardResult.Answered answered -> answered(answered.answer());
            case ForwardResult.NotSent notSent -> notSent(notSent.why());
            case ForwardResult.Resendable again -> maySendAgain(again.why());
            case ForwardResult.LookUpLater later -> {
                log("is asked about later", later.why());
                exchange.abandon();
                client.recordOutcome(GatewayRequestOutcome.UNREACHED);
                client.send(with(problems.unconfirmed()));
            }
            case ForwardResult.Unknown unknown -> unknown(unknown.why());
        }
    }

    private ForwardResult crossed() {
        var crossed = new AtomicReference<@Nullable ForwardResult>();
        try {
            exchange.<RuntimeException>runPart(() -> crossed.set(crossing.run()));
        } catch (RuntimeException | Error broken) {
            // How far it came is not known: that is a defect here, and must not become a second effect there.
            return new ForwardResult.Unknown(broken);
        }
        var result = crossed.get();
        return result == null ? new ForwardResult.Unknown(new IllegalStateException("Nothing came of it.")) : result;
    }

    private void notSent(Throwable why) {
        log("was not sent", why);
        UpstreamOutcomeHeader.nothingHappened(exchange.claim());
        unreached(
                problems.response(UpstreamProblem.UNREACHABLE, "Nothing was sent. Send the same request again later."));
    }

    private void maySendAgain(Throwable why) {
        log("was not answered, and may be sent again under the same key", why);
        exchange.claim().doNotKeepAnswer();
        unreached(problems.response(
                UpstreamProblem.UNANSWERED, "Send the same request under the same key: it takes effect once."));
    }

    private void unknown(Throwable why) {
        log("has an unknown outcome and needs attention", why);
        client.recordOutcome(GatewayRequestOutcome.ATTENTION);
        switch (exchange.escalate(reason(why), why)) {
            case ResponseDecision.ReplacementResponse instead -> client.send(with(instead.reply()));
            case ResponseDecision.HandlerResponse own ->
                client.send(with(problems.response(UpstreamProblem.SILENT, "It was sent.")));
            case ResponseDecision.RethrownFailure never ->
                throw new IllegalStateException("An unknown outcome is told.");
        }
    }

    private void complete(EdgeResponse own) {
        var reply = settled(own);
        client.recordOutcome(GatewayRequestOutcome.of(reply.origin()));
        client.send(reply);
    }

    /** For the protocol it ran; what became of it is known here alone. */
    private void unreached(EdgeResponse own) {
        var reply = settled(own);
        client.recordOutcome(GatewayRequestOutcome.UNREACHED);
        client.send(reply);
    }

    private EdgeResponse settled(EdgeResponse own) {
        var ending = exchange.complete(own.toAnswer());
        return with(ending instanceof ResponseDecision.ReplacementResponse instead ? instead.reply() : own);
    }

    private void answered(UpstreamResult.Answered answered) {
        answered.steering().ifPresent(said -> UpstreamOutcomeHeader.apply(said, exchange.claim()));
        var answer = answered.answer();
        if (route.upstream().noEffectStatuses().contains(answer.status())) {
            UpstreamOutcomeHeader.nothingHappened(exchange.claim());
        }
        if (answered.rest().isEmpty()) {
            complete(EdgeResponse.of(answer, new ResponseOrigin.RanNow()));
        } else {
            pass(answer, answered.rest().get());
        }
    }

    /**
     * An answer that is not held: it goes on as it comes. Whoever counts the bytes must not take the request for done before that is
     * stored, so the last piece waits for it; of a stream that does not say its length nobody knows the end.
     */
    private void pass(Answer head, InputStream rest) {
        boolean stream = ResponseBodyRules.isStream(head.header("Content-Type").orElse(""));
        boolean endless = stream && head.header("Content-Length").isEmpty();
        exchange.claim().keepStateOnly(stream ? "It is a stream." : "It is larger than what is kept.");
        client.begin(head.status(), headers(head.headers()));
        byte[] held = head.body().bytes();
        int length = held.length;
        try (rest) {
            byte[] next = new byte[PIECE];
            for (int read = rest.read(next); read >= 0; read = rest.read(next)) {
                client.write(held, length);
                held = next.clone();
                length = read;
                if (endless) {
                    client.write(held, length);
                    length = 0;
                }
            }
        } catch (IOException broken) {
            brokenOff(broken);
            return;
        }
        var ending = exchange.complete(new Answer(head.status(), head.headers(), Payload.of(new byte[0])));
        client.recordOutcome(GatewayRequestOutcome.of(ending.origin()));
        switch (ending) {
            case ResponseDecision.HandlerResponse own -> client.end(held, length);
            default -> client.abort(new IOException("The outcome is not stored as it was given."));
        }
    }

    private void brokenOff(IOException broken) {
        log("was answered in part only", broken);
        if (route.upstream().onUnanswered() instanceof UpstreamPolicy.UnansweredPolicy.Resend) {
            exchange.claim().doNotKeepAnswer();
            exchange.complete(problemAnswer());
        } else {
            client.recordOutcome(GatewayRequestOutcome.ATTENTION);
            exchange.escalate(reason(broken), broken);
        }
        client.abort(broken);
    }

    private Answer problemAnswer() {
        var reply = problems.response(UpstreamProblem.UNANSWERED, "Its answer ended before its end.");
        return reply.toAnswer();
    }

    /** For whoever has to find out; what the client library says of its connections would not help them. */
    private static String reason(Throwable why) {
        return switch (why) {
            case AmbiguousResponseException unclear -> String.valueOf(unclear.getMessage());
            case UpstreamKeyExpiredException forgotten -> String.valueOf(forgotten.getMessage());
            case TimeoutException late -> "It was sent, and no answer came in time.";
            case InterruptedException stopped -> "It was sent, and the gateway was stopped before the answer came.";
            case EOFException ended -> "It was sent, and the connection ended before the answer did.";
            default ->
                "It was sent, and there is no whole answer: " + why.getClass().getSimpleName() + ".";
        };
    }

    private EdgeResponse with(EdgeResponse reply) {
        return reply.withHeaders(headers(reply.headers()));
    }

    /** What the answer says beside its own: a key that was made here. */
    private List<OutcomeHeader> headers(List<OutcomeHeader> own) {
        var added = exchange.extraHeaders();
        if (added.isEmpty()) {
            return own;
        }
        var all = new ArrayList<>(own);
        all.removeIf(header -> added.stream().anyMatch(made -> made.name().equalsIgnoreCase(header.name())));
        all.addAll(added);
        return all;
    }

    private void log(String what, Throwable why) {
        LOG.log(
                System.Logger.Level.WARNING,
                () -> route.protection().route().name() + ": record "
                        + exchange.claim().recordId() + " " + what + ": " + why);
    }
}
