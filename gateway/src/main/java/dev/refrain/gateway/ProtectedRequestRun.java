package dev.refrain.gateway;

import dev.refrain.api.AnswerHeader;
import dev.refrain.api.Outcome.Answer;
import dev.refrain.api.Payload;
import dev.refrain.gateway.GatewayRuleSet.ProtectedRoute;
import dev.refrain.gateway.UpstreamForwarder.ForwardResult;
import dev.refrain.gateway.internal.config.UpstreamPolicy;
import dev.refrain.http.edge.EdgeResponse;
import dev.refrain.http.edge.LeasedExchange;
import dev.refrain.http.edge.ProblemResponses;
import dev.refrain.http.edge.ResponseDecision;
import dev.refrain.http.edge.ResponseOrigin;
import dev.refrain.http.internal.body.ResponseBodyRules;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Claimed request: forwards it to the upstream, stores the outcome, and then answers the client. */
final class ProtectedRequestRun {

    private static final int PIECE = 16 << 10;

    private final LeasedExchange exchange;
    private final UpstreamForwarder crossing;
    private final ProtectedRoute route;
    private final ProblemResponses problems;
    private final ClientReplyStream client;
    private final ForwardingLog log;

    ProtectedRequestRun(
            LeasedExchange exchange,
            UpstreamForwarder crossing,
            ProtectedRoute route,
            ProblemResponses problems,
            ClientReplyStream client,
            ForwardingLog log) {
        this.exchange = exchange;
        this.crossing = crossing;
        this.route = route;
        this.problems = problems;
        this.client = client;
        this.log = log;
    }

    void run() {
        client.recordOutcome(GatewayRequestOutcome.FIRST);
        switch (crossed()) {
            case ForwardResult.Answered answered -> {
                answered.steered().ifPresent(wish -> wish.apply(exchange.claim()));
                answered(answered.answer());
            }
            case ForwardResult.NotSent notSent -> notSent(notSent.why());
            case ForwardResult.Resendable again -> maySendAgain(again.why());
            case ForwardResult.LookUpLater later -> {
                log.lookedUpLater(later.why());
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
            log.defect(broken);
            return new ForwardResult.Unknown(broken);
        }
        var result = crossed.get();
        return result == null ? new ForwardResult.Unknown(new IllegalStateException("Nothing came of it.")) : result;
    }

    private void notSent(Throwable why) {
        log.notSent(why);
        UpstreamOutcomeHeader.nothingHappened(exchange.claim());
        var problem = why instanceof UpstreamBusyException
                ? GatewayProblem.UPSTREAM_BUSY
                : GatewayProblem.UPSTREAM_UNREACHABLE;
        unreached(problems.response(problem, "Nothing was sent. Send the same request again later."));
    }

    private void maySendAgain(Throwable why) {
        log.resendable(why);
        exchange.claim().doNotKeepAnswer();
        unreached(problems.response(
                GatewayProblem.UPSTREAM_UNANSWERED, "Send the same request under the same key: it takes effect once."));
    }

    private void unknown(Throwable why) {
        log.unknown(why);
        client.recordOutcome(GatewayRequestOutcome.ATTENTION);
        switch (exchange.escalate(ForwardingLog.reason(why), why)) {
            case ResponseDecision.ReplacementResponse instead -> client.send(with(instead.reply()));
            case ResponseDecision.HandlerResponse own ->
                client.send(with(problems.response(GatewayProblem.UPSTREAM_SILENT, "It was sent.")));
            case ResponseDecision.RethrownFailure never ->
                throw new IllegalStateException("An unknown outcome is answered, not thrown.");
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
        var answer = answered.answer();
        if (route.upstream().noEffectStatuses().contains(answer.status())) {
            refused();
        }
        if (answered.rest().isEmpty()) {
            complete(EdgeResponse.of(answer, new ResponseOrigin.RanNow()));
        } else {
            pass(answer, answered.rest().get());
        }
    }

    /** Releases the key of a request that the service refused; whether an earlier call of it took effect stays open. */
    private void refused() {
        if (crossing.mayHaveSentBefore()) {
            exchange.claim().doNotKeepAnswer();
        } else {
            UpstreamOutcomeHeader.nothingHappened(exchange.claim());
        }
    }

    /**
     * Passes a response on as it arrives, without holding it. A client that counts the bytes must not take the request for done before
     * that is stored, so the last piece waits for the store; a stream without a length has no last piece that could wait.
     */
    private void pass(Answer head, UpstreamResult.PassedBody passed) {
        boolean stream = ResponseBodyRules.isStream(head.header("Content-Type").orElse(""));
        boolean endless = stream && head.header("Content-Length").isEmpty();
        exchange.claim().keepStateOnly(passed.why().text());
        if (passed.why() == UpstreamResult.PassReason.NO_MEMORY) {
            log.passedWithoutMemory();
        }
        client.begin(head.status(), headers(head.headers()));
        byte[] held = head.body().bytes();
        int length = held.length;
        try (var rest = passed.rest()) {
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
        if (route.upstream().onUnanswered() instanceof UpstreamPolicy.UnansweredPolicy.Resend) {
            log.resendable(broken);
            exchange.claim().doNotKeepAnswer();
            exchange.complete(problemAnswer());
        } else {
            log.unknown(broken);
            client.recordOutcome(GatewayRequestOutcome.ATTENTION);
            exchange.escalate(ForwardingLog.reason(broken), broken);
        }
        client.abort(broken);
    }

    private Answer problemAnswer() {
        var reply = problems.response(GatewayProblem.UPSTREAM_UNANSWERED, "Its answer ended before its end.");
        return reply.toAnswer();
    }

    private EdgeResponse with(EdgeResponse reply) {
        return reply.withHeaders(headers(reply.headers()));
    }

    /** What the answer says beside its own: a key that was made here. */
    private List<AnswerHeader> headers(List<AnswerHeader> own) {
        var added = exchange.extraHeaders();
        if (added.isEmpty()) {
            return own;
        }
        var all = new ArrayList<>(own);
        all.removeIf(header -> added.stream().anyMatch(made -> made.name().equalsIgnoreCase(header.name())));
        all.addAll(added);
        return all;
    }
}
