package dev.refrain.verify;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Two at once, and clients that go away. */
final class InFlightCases {

    private static final int MOMENTS = 3;
    private static final Duration SOON = Duration.ofMillis(5);

    private static final String ONCE = "one effect, and its answer for every retry";
    private static final Verdict UNSEEN = new Verdict.Advice(
            "the retries agree; whether the lost one took effect too cannot be seen. Say --effects 'GET /…#/count'");

    private InFlightCases() {}

    static final List<Case> ALL = List.of(
            Case.of(
                            new Words(
                                    "concurrent-one-effect",
                                    "The same request many times at once has one effect; the others get its answer, or are told to wait and get it then.",
                                    Reference.ENFORCEMENT,
                                    "A double click, or a proxy that retries, is charged as often as it is sent."),
                            0,
                            InFlightCases::concurrent)
                    .withMaxRequests(subject -> subject.limits().concurrency() + Lab.PATIENCE),
            Case.of(
                            new Words(
                                    "conflict-says-when",
                                    "Who is told that the first one still runs is told when to come again (Retry-After).",
                                    Reference.RETRY_AFTER,
                                    "Clients come again at once and all together, or give up on a payment that goes through."),
                            0,
                            InFlightCases::saysWhen)
                    .withMaxRequests(subject -> subject.limits().concurrency()),
            Case.of(
                    new Words(
                            "hang-up-while-running",
                            "A client that hangs up while its request runs, and retries, finds one effect.",
                            Reference.ENFORCEMENT,
                            "A phone in a tunnel: the payment went through, the retry pays again."),
                    MOMENTS * (2 + Lab.PATIENCE),
                    InFlightCases::whileRunning),
            Case.of(
                    new Words(
                            "hang-up-at-answer",
                            "A client that hangs up as its answer begins, and retries, finds one effect.",
                            Reference.ENFORCEMENT,
                            "The answer is lost on the way: the payment went through, the retry pays again."),
                    2 + Lab.PATIENCE,
                    InFlightCases::atAnswer),
            Case.of(
                            new Words(
                                    "hang-up-while-sending",
                                    "A client that hangs up in the middle of its body, and retries, finds one effect.",
                                    Reference.ENFORCEMENT,
                                    "Half a request uses the key up: the payment can never be made, or is made with half of its data."),
                            1 + Lab.PATIENCE,
                            InFlightCases::halfSent)
                    .skippedWhen(subject -> subject.bodies().intent().text().length() > 1
                            ? Optional.empty()
                            : Optional.of("there is no body to send half of")));

    private static Verdict concurrent(Lab lab) {
        var tally = lab.effectCounter();
        var call = lab.call();
        var answers = new ArrayList<>(lab.atOnce(call, lab.subject().limits().concurrency()));
        String expected = "one effect; every other the same answer, or "
                + lab.subject().profile().inFlight() + " and the same answer then";
        for (var answer : answers) {
            if (!lab.isFirstAnswer(answer) && !lab.isRetryLater(answer)) {
                throw new UnmetException(expected, lab.formatter().answer(answer));
            }
        }
        var settled = lab.sendUntilSettled(call);
        if (!lab.isFirstAnswer(settled)) {
            throw new UnmetException(
                    expected,
                    "still, after " + Lab.PATIENCE + " retries: " + lab.formatter().answer(settled));
        }
        answers.add(settled);
        tally.expect(1, answers, expected);
        for (var answer : answers) {
            if (lab.isFirstAnswer(answer)) {
                Sameness.expect(lab, settled, answer, expected);
            }
        }
        return tally.verdict();
    }

    private static Verdict saysWhen(Lab lab) {
        var told = lab.atOnce(lab.call(), lab.subject().limits().concurrency()).stream()
                .filter(answer -> !lab.isFirstAnswer(answer) && lab.isRetryLater(answer) && answer.status() != 202)
                .toList();
        if (told.isEmpty()) {
            return new Verdict.Skipped("nobody was told to wait: all got the answer itself");
        }
        for (var answer : told) {
            if (answer.header("Retry-After").isEmpty()) {
                if (!lab.subject().profile().saysWhenToRetry()) {
                    return new Verdict.Advice(answer.status() + " without Retry-After: clients have to guess");
                }
                throw new UnmetException("Retry-After", lab.formatter().answer(answer));
            }
        }
        return Verdict.passed();
    }

    private static Verdict whileRunning(Lab lab) {
        boolean seen = true;
        for (int quarters = 1; quarters <= MOMENTS; quarters++) {
            var tally = lab.effectCounter();
            var call = lab.call();
            var moment = lab.observations().shortestWorkTime().multipliedBy(quarters).dividedBy(MOMENTS + 1);
            lab.onWire(call, ", hung up after " + moment.toMillis() + " ms", wire -> {
                wire.send(call);
                lab.pause(moment.compareTo(SOON) < 0 ? SOON : moment);
                return hungUp(wire, Answer.NONE);
            });
            retried(lab, call, tally);
            seen &= tally.counts();
        }
        return seen ? Verdict.passed() : UNSEEN;
    }

    private static Verdict atAnswer(Lab lab) {
        var tally = lab.effectCounter();
        var call = lab.call();
        lab.onWire(call, ", hung up as the answer began", wire -> {
            wire.send(call);
            return hungUp(wire, wire.status());
        });
        var retry = retried(lab, call, tally);
        if (lab.observations().marksReplays() && !retry.isMarkedReplay()) {
            throw new UnmetException(ONCE, "the retry is no replay: it ran again");
        }
        return tally.counts() || lab.observations().marksReplays() ? Verdict.passed() : UNSEEN;
    }

    private static Answer hungUp(Wire wire, Answer seen) throws IOException {
        wire.hangUp();
        return seen;
    }

    /** What a client finds who comes again after its connection was lost. */
    private static Answer retried(Lab lab, Call call, Tally tally) {
        var retry = lab.sendUntilSettled(call);
        var again = lab.send(call);
        if (!lab.isFirstAnswer(retry)) {
            throw new UnmetException(ONCE, lab.formatter().answer(retry));
        }
        Sameness.expect(lab, retry, again, ONCE);
        tally.expect(1, List.of(retry, again), ONCE);
        return retry;
    }

    private static Verdict halfSent(Lab lab) {
        var tally = lab.effectCounter();
        var call = lab.call();
        int half = call.body().getBytes(StandardCharsets.UTF_8).length / 2;
        lab.onWire(call, ", hung up after " + half + " bytes of the body", wire -> {
            wire.send(call, half);
            lab.pause(SOON);
            return hungUp(wire, Answer.NONE);
        });
        var retry = lab.sendUntilSettled(call);
        String expected = "the whole request runs, once";
        if (!lab.isFirstAnswer(retry)) {
            throw new UnmetException(expected, lab.formatter().answer(retry));
        }
        tally.expect(1, List.of(retry), expected);
        return Verdict.passed();
    }
}
