package dev.refrain.verify;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Two at once, and clients that go away. */
final class VerifyInFlightCases {

    private static final int MOMENTS = 3;
    private static final Duration SOON = Duration.ofMillis(5);

    private static final String ONCE = "one effect, and its answer for every retry";
    private static final CaseVerdict UNSEEN = new CaseVerdict.Advice(
            "the retries agree; whether the lost one took effect too cannot be seen. Say --effects 'GET /…#/count'");

    private VerifyInFlightCases() {}

    static final List<VerifyCase> ALL = List.of(
            VerifyCase.of(
                            new CaseDescription(
                                    "concurrent-one-effect",
                                    "The same request many times at once has one effect; the others get its answer, or are told to wait and get it then.",
                                    SpecReferences.ENFORCEMENT,
                                    "A double click, or a proxy that retries, is charged as often as it is sent."),
                            0,
                            VerifyInFlightCases::concurrent)
                    .withMaxRequests(subject -> subject.limits().concurrency() + VerifyCaseContext.PATIENCE),
            VerifyCase.of(
                            new CaseDescription(
                                    "conflict-says-when",
                                    "Who is told that the first one still runs is told when to come again (Retry-After).",
                                    SpecReferences.RETRY_AFTER,
                                    "Clients come again at once and all together, or give up on a payment that goes through."),
                            0,
                            VerifyInFlightCases::saysWhen)
                    .withMaxRequests(subject -> subject.limits().concurrency()),
            VerifyCase.of(
                    new CaseDescription(
                            "hang-up-while-running",
                            "A client that hangs up while its request runs, and retries, finds one effect.",
                            SpecReferences.ENFORCEMENT,
                            "A phone in a tunnel: the payment went through, the retry pays again."),
                    MOMENTS * (2 + VerifyCaseContext.PATIENCE),
                    VerifyInFlightCases::whileRunning),
            VerifyCase.of(
                    new CaseDescription(
                            "hang-up-at-answer",
                            "A client that hangs up as its answer begins, and retries, finds one effect.",
                            SpecReferences.ENFORCEMENT,
                            "The answer is lost on the way: the payment went through, the retry pays again."),
                    2 + VerifyCaseContext.PATIENCE,
                    VerifyInFlightCases::atAnswer),
            VerifyCase.of(
                            new CaseDescription(
                                    "hang-up-while-sending",
                                    "A client that hangs up in the middle of its body, and retries, finds one effect.",
                                    SpecReferences.ENFORCEMENT,
                                    "Half a request uses the key up: the payment can never be made, or is made with half of its data."),
                            1 + VerifyCaseContext.PATIENCE,
                            VerifyInFlightCases::halfSent)
                    .skippedWhen(subject -> subject.bodies().intent().text().length() > 1
                            ? Optional.empty()
                            : Optional.of("there is no body to send half of")));

    private static CaseVerdict concurrent(VerifyCaseContext lab) {
        var tally = lab.effectCounter();
        var call = lab.call();
        var answers = new ArrayList<>(lab.atOnce(call, lab.subject().limits().concurrency()));
        String expected = "one effect; every other the same answer, or "
                + lab.subject().profile().inFlight() + " and the same answer then";
        for (var answer : answers) {
            if (!lab.isFirstAnswer(answer) && !lab.isRetryLater(answer)) {
                throw new ExpectationFailedException(expected, lab.formatter().answer(answer));
            }
        }
        var settled = lab.sendUntilSettled(call);
        if (!lab.isFirstAnswer(settled)) {
            throw new ExpectationFailedException(
                    expected,
                    "still, after " + VerifyCaseContext.PATIENCE + " retries: "
                            + lab.formatter().answer(settled));
        }
        answers.add(settled);
        tally.expect(1, answers, expected);
        for (var answer : answers) {
            if (lab.isFirstAnswer(answer)) {
                ReplayAssertion.expect(lab, settled, answer, expected);
            }
        }
        return tally.verdict();
    }

    private static CaseVerdict saysWhen(VerifyCaseContext lab) {
        var told = lab.atOnce(lab.call(), lab.subject().limits().concurrency()).stream()
                .filter(answer -> !lab.isFirstAnswer(answer) && lab.isRetryLater(answer) && answer.status() != 202)
                .toList();
        if (told.isEmpty()) {
            return new CaseVerdict.Skipped("nobody was told to wait: all got the answer itself");
        }
        for (var answer : told) {
            if (answer.header("Retry-After").isEmpty()) {
                if (!lab.subject().profile().saysWhenToRetry()) {
                    return new CaseVerdict.Advice(answer.status() + " without Retry-After: clients have to guess");
                }
                throw new ExpectationFailedException(
                        "Retry-After", lab.formatter().answer(answer));
            }
        }
        return CaseVerdict.passed();
    }

    private static CaseVerdict whileRunning(VerifyCaseContext lab) {
        boolean seen = true;
        for (int quarters = 1; quarters <= MOMENTS; quarters++) {
            var tally = lab.effectCounter();
            var call = lab.call();
            var moment =
                    lab.observations().shortestWorkTime().multipliedBy(quarters).dividedBy(MOMENTS + 1);
            lab.onWire(call, ", hung up after " + moment.toMillis() + " ms", wire -> {
                wire.send(call);
                lab.pause(moment.compareTo(SOON) < 0 ? SOON : moment);
                return hungUp(wire, VerifyResponse.NONE);
            });
            retried(lab, call, tally);
            seen &= tally.counts();
        }
        return seen ? CaseVerdict.passed() : UNSEEN;
    }

    private static CaseVerdict atAnswer(VerifyCaseContext lab) {
        var tally = lab.effectCounter();
        var call = lab.call();
        lab.onWire(call, ", hung up as the answer began", wire -> {
            wire.send(call);
            return hungUp(wire, wire.status());
        });
        var retry = retried(lab, call, tally);
        if (lab.observations().marksReplays() && !retry.isMarkedReplay()) {
            throw new ExpectationFailedException(ONCE, "the retry is no replay: it ran again");
        }
        return tally.counts() || lab.observations().marksReplays() ? CaseVerdict.passed() : UNSEEN;
    }

    private static VerifyResponse hungUp(VerifyRawConnection wire, VerifyResponse seen) throws IOException {
        wire.hangUp();
        return seen;
    }

    /** What a client finds who comes again after its connection was lost. */
    private static VerifyResponse retried(VerifyCaseContext lab, VerifyRequest call, EffectCounter tally) {
        var retry = lab.sendUntilSettled(call);
        var again = lab.send(call);
        if (!lab.isFirstAnswer(retry)) {
            throw new ExpectationFailedException(ONCE, lab.formatter().answer(retry));
        }
        ReplayAssertion.expect(lab, retry, again, ONCE);
        tally.expect(1, List.of(retry, again), ONCE);
        return retry;
    }

    private static CaseVerdict halfSent(VerifyCaseContext lab) {
        var tally = lab.effectCounter();
        var call = lab.call();
        int half = call.body().getBytes(StandardCharsets.UTF_8).length / 2;
        lab.onWire(call, ", hung up after " + half + " bytes of the body", wire -> {
            wire.send(call, half);
            lab.pause(SOON);
            return hungUp(wire, VerifyResponse.NONE);
        });
        var retry = lab.sendUntilSettled(call);
        String expected = "the whole request runs, once";
        if (!lab.isFirstAnswer(retry)) {
            throw new ExpectationFailedException(expected, lab.formatter().answer(retry));
        }
        tally.expect(1, List.of(retry), expected);
        return CaseVerdict.passed();
    }
}
