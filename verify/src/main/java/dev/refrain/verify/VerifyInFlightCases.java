package dev.refrain.verify;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Cases about parallel requests and clients that disconnect. */
final class VerifyInFlightCases {

    private static final int HANG_UPS = 3;
    private static final Duration SHORT_PAUSE = Duration.ofMillis(5);

    private static final String EXPECTED = "one effect, and its response for every retry";
    private static final CaseVerdict UNOBSERVABLE = new CaseVerdict.Advice(
            "the retries agree, but whether the lost request took effect too cannot be seen. Use --effects 'GET "
                    + "/…#/count'");

    private VerifyInFlightCases() {}

    static final List<VerifyCase> ALL = List.of(
            VerifyCase.of(
                            new CaseDescription(
                                    "concurrent-one-effect",
                                    "Many parallel copies of a request have one effect; the others get its response, at once or after "
                                            + "being told to retry.",
                                    SpecReferences.ENFORCEMENT,
                                    "A double click, or a proxy that retries, is charged as often as it is sent."),
                            0,
                            VerifyInFlightCases::concurrent)
                    .withMaxRequests(subject -> subject.limits().concurrency() + VerifyCaseContext.MAX_ATTEMPTS),
            VerifyCase.of(
                            new CaseDescription(
                                    "conflict-says-when",
                                    "A conflict response tells the client when to retry (Retry-After).",
                                    SpecReferences.RETRY_AFTER,
                                    "Clients retry immediately and all together, or give up on a payment that succeeds."),
                            0,
                            VerifyInFlightCases::conflictSaysWhen)
                    .withMaxRequests(subject -> subject.limits().concurrency()),
            VerifyCase.of(
                    new CaseDescription(
                            "hang-up-while-running",
                            "A client that disconnects while its request is running, and retries, finds one effect.",
                            SpecReferences.ENFORCEMENT,
                            "A phone enters a tunnel: the payment went through, and the retry pays again."),
                    HANG_UPS * (2 + VerifyCaseContext.MAX_ATTEMPTS),
                    VerifyInFlightCases::whileRunning),
            VerifyCase.of(
                    new CaseDescription(
                            "hang-up-at-answer",
                            "A client that disconnects when its response arrives, and retries, finds one effect.",
                            SpecReferences.ENFORCEMENT,
                            "The response is lost on the way: the payment went through, and the retry pays again."),
                    2 + VerifyCaseContext.MAX_ATTEMPTS,
                    VerifyInFlightCases::atAnswer),
            VerifyCase.of(
                            new CaseDescription(
                                    "hang-up-while-sending",
                                    "A client that disconnects halfway through its body, and retries, finds one effect.",
                                    SpecReferences.ENFORCEMENT,
                                    "A partial request uses up the key: the payment can never be made, or is made with incomplete data."),
                            1 + VerifyCaseContext.MAX_ATTEMPTS,
                            VerifyInFlightCases::whileSending)
                    .skippedWhen(subject -> subject.bodies().intent().text().length() > 1
                            ? Optional.empty()
                            : Optional.of("the request has no body to cut in half")));

    private static CaseVerdict concurrent(VerifyCaseContext context) {
        var tally = context.effectCounter();
        var call = context.call();
        var answers =
                new ArrayList<>(context.atOnce(call, context.subject().limits().concurrency()));
        String expected = "one effect; every other request gets the same response, or "
                + context.subject().profile().inFlight() + " and then the same response";
        for (var answer : answers) {
            if (!context.isFirstAnswer(answer) && !context.isRetryLater(answer)) {
                throw new ExpectationFailedException(
                        expected, context.formatter().answer(answer));
            }
        }
        var settled = context.sendUntilSettled(call);
        if (!context.isFirstAnswer(settled)) {
            throw new ExpectationFailedException(
                    expected,
                    "after " + VerifyCaseContext.MAX_ATTEMPTS + " attempts still: "
                            + context.formatter().answer(settled));
        }
        answers.add(settled);
        tally.expect(1, answers, expected);
        for (var answer : answers) {
            if (context.isFirstAnswer(answer)) {
                ReplayAssertion.expect(context, settled, answer, expected);
            }
        }
        return tally.verdict();
    }

    private static CaseVerdict conflictSaysWhen(VerifyCaseContext context) {
        var conflicts = context
                .atOnce(context.call(), context.subject().limits().concurrency())
                .stream()
                .filter(answer ->
                        !context.isFirstAnswer(answer) && context.isRetryLater(answer) && answer.status() != 202)
                .toList();
        if (conflicts.isEmpty()) {
            return new CaseVerdict.Skipped("no request got a conflict: all got the response itself");
        }
        for (var answer : conflicts) {
            if (answer.header("Retry-After").isEmpty()) {
                if (!context.subject().profile().saysWhenToRetry()) {
                    return new CaseVerdict.Advice(
                            answer.status() + " without Retry-After: clients have to guess when to retry");
                }
                throw new ExpectationFailedException(
                        "Retry-After", context.formatter().answer(answer));
            }
        }
        return CaseVerdict.passed();
    }

    private static CaseVerdict whileRunning(VerifyCaseContext context) {
        boolean seen = true;
        for (int quarters = 1; quarters <= HANG_UPS; quarters++) {
            var tally = context.effectCounter();
            var call = context.call();
            var moment = context.observations()
                    .shortestWorkTime()
                    .multipliedBy(quarters)
                    .dividedBy(HANG_UPS + 1);
            context.onWire(call, ", disconnected after " + moment.toMillis() + " ms", wire -> {
                wire.send(call);
                context.pause(moment.compareTo(SHORT_PAUSE) < 0 ? SHORT_PAUSE : moment);
                return disconnect(wire, VerifyResponse.NONE);
            });
            retry(context, call, tally);
            seen &= tally.counts();
        }
        return seen ? CaseVerdict.passed() : UNOBSERVABLE;
    }

    private static CaseVerdict atAnswer(VerifyCaseContext context) {
        var tally = context.effectCounter();
        var call = context.call();
        context.onWire(call, ", disconnected when the response arrived", wire -> {
            wire.send(call);
            return disconnect(wire, wire.status());
        });
        var retry = retry(context, call, tally);
        if (context.observations().marksReplays() && !retry.isMarkedReplay()) {
            throw new ExpectationFailedException(EXPECTED, "the retry is not a replay: the request ran again");
        }
        return tally.counts() || context.observations().marksReplays() ? CaseVerdict.passed() : UNOBSERVABLE;
    }

    private static VerifyResponse disconnect(VerifyRawConnection wire, VerifyResponse seen) throws IOException {
        wire.hangUp();
        return seen;
    }

    /** Retries after a lost connection, as a client would, and expects one effect. */
    private static VerifyResponse retry(VerifyCaseContext context, VerifyRequest call, EffectCounter tally) {
        var retry = context.sendUntilSettled(call);
        var again = context.send(call);
        if (!context.isFirstAnswer(retry)) {
            throw new ExpectationFailedException(EXPECTED, context.formatter().answer(retry));
        }
        ReplayAssertion.expect(context, retry, again, EXPECTED);
        tally.expect(1, List.of(retry, again), EXPECTED);
        return retry;
    }

    private static CaseVerdict whileSending(VerifyCaseContext context) {
        var tally = context.effectCounter();
        var call = context.call();
        int half = call.body().getBytes(StandardCharsets.UTF_8).length / 2;
        context.onWire(call, ", disconnected after " + half + " bytes of the body", wire -> {
            wire.send(call, half);
            context.pause(SHORT_PAUSE);
            return disconnect(wire, VerifyResponse.NONE);
        });
        var retry = context.sendUntilSettled(call);
        String expected = "the complete request runs once";
        if (!context.isFirstAnswer(retry)) {
            throw new ExpectationFailedException(expected, context.formatter().answer(retry));
        }
        tally.expect(1, List.of(retry), expected);
        return CaseVerdict.passed();
    }
}
