package dev.refrain.verify;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What is kept, for whom and for how long. */
final class VerifyRetentionCases {

    private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);
    private static final Duration LEAST_GRACE = Duration.ofMillis(300);

    private VerifyRetentionCases() {}

    static final List<VerifyCase> ALL = List.of(
            VerifyCase.of(
                            new CaseDescription(
                                    "kept-failure",
                                    "A refusal of the work itself (4xx, such as a declined card) is replayed.",
                                    SpecReferences.ENFORCEMENT,
                                    "A customer is told that the card was declined; a late retry of the same request charges it after all."),
                            2,
                            VerifyRetentionCases::failure)
                    .skippedWhen(subject -> subject.bodies().failing().isPresent()
                            ? Optional.empty()
                            : Optional.of("no body that fails is known: say --failing-body")),
            VerifyCase.of(
                            new CaseDescription(
                                    "other-caller",
                                    "The same key of another caller is another key: it runs, and shows nothing of the first.",
                                    SpecReferences.SCOPE,
                                    "One customer is shown another's payment; or blocks it by guessing keys."),
                            2,
                            VerifyRetentionCases::otherCaller)
                    .skippedWhen(subject -> subject.otherCaller().isEmpty()
                            ? Optional.of("no second caller is known: say --other-header")
                            : Optional.empty()),
            VerifyCase.of(
                            new CaseDescription(
                                    "expiry",
                                    "Within its retention a key is remembered, and after it the key is new.",
                                    SpecReferences.EXPIRY,
                                    "A retry that comes after the promised time is charged (too short), or a new intent is answered with an old payment (too long)."),
                            3,
                            VerifyRetentionCases::expiry)
                    .skippedWhen(VerifyRetentionCases::cannotWait),
            VerifyCase.of(
                            new CaseDescription(
                                    "get-with-key",
                                    "A GET with a used key is an ordinary GET.",
                                    SpecReferences.SAFE_METHODS,
                                    "A page that shows the balance shows an old payment instead."),
                            1,
                            VerifyRetentionCases::get)
                    .skippedWhen(subject -> subject.effectCount().counter().isPresent()
                            ? Optional.empty()
                            : Optional.of("only the route given is asked, and it is no GET: say --effects 'GET /…'")));

    private static CaseVerdict failure(VerifyCaseContext lab) {
        var call = lab.call().withBody(lab.fill(lab.subject().bodies().failing().orElseThrow()));
        var first = lab.send(call);
        if (first.status() / 100 != 4) {
            return new CaseVerdict.Skipped("--failing-body was answered " + first.status() + ", not a 4xx");
        }
        var again = lab.send(call);
        ReplayAssertion.expect(lab, first, again, "the same refusal, to the byte");
        return !lab.observations().marksReplays() || again.isMarkedReplay()
                ? CaseVerdict.passed()
                : new CaseVerdict.Advice(
                        "the refusal came again and is not marked as a replay: right if it was refused before the work began, wrong if the work ran again");
    }

    private static CaseVerdict otherCaller(VerifyCaseContext lab) {
        var tally = lab.effectCounter();
        var call = lab.call();
        var mine = lab.sendFirst(call);
        var theirs = lab.send(call.withCaller(lab.subject().otherCaller()));
        String expected =
                "an answer of its own (" + lab.subject().expectations().firstAnswer() + ")";
        if (!lab.isFirstAnswer(theirs)) {
            throw new ExpectationFailedException(expected, lab.formatter().answer(theirs));
        }
        if (theirs.isMarkedReplay()
                || (lab.observations().effectsAreDistinguishable()
                        && tally.identity(mine).equals(tally.identity(theirs)))) {
            throw new ExpectationFailedException(expected, "the first caller's answer");
        }
        return lab.observations().effectsAreDistinguishable()
                        || lab.observations().marksReplays()
                ? CaseVerdict.passed()
                : new CaseVerdict.Advice("answered; whose answer it is cannot be seen. Say --id /pointer");
    }

    private static Optional<String> cannotWait(VerifySettings subject) {
        var retention = subject.expectations().retention();
        if (retention.isEmpty()) {
            return Optional.of(
                    "it is not told for how long keys are remembered: say --retention, short enough to wait for");
        }
        return retention.get().compareTo(LONGEST_WAIT) > 0
                ? Optional.of("nobody waits for " + retention.get() + " here; up to 5 minutes are waited for")
                : Optional.empty();
    }

    private static CaseVerdict expiry(VerifyCaseContext lab) {
        var retention = lab.subject().expectations().retention().orElseThrow();
        var tally = lab.effectCounter();
        var call = lab.call();
        var first = lab.sendFirst(call);
        ReplayAssertion.expect(lab, first, lab.send(call), "the same answer within the retention of " + retention);
        var grace = retention.dividedBy(10);
        lab.advanceTime(retention.plus(grace.compareTo(LEAST_GRACE) < 0 ? LEAST_GRACE : grace));
        var later = lab.send(call);
        String expected = "a new effect after the retention of " + retention;
        if (!lab.isFirstAnswer(later) || later.isMarkedReplay()) {
            throw new ExpectationFailedException(expected, lab.formatter().answer(later));
        }
        tally.expect(2, List.of(first, later), expected);
        return tally.verdict();
    }

    private static CaseVerdict get(VerifyCaseContext lab) {
        var route = lab.subject().effectCount().counter().orElseThrow().route();
        var call = lab.call();
        lab.sendFirst(call);
        var plain = lab.get(route, Optional.empty());
        var keyed = lab.get(route, Optional.of(call.keys().getFirst()));
        if (keyed.isMarkedReplay()) {
            throw new ExpectationFailedException("the answer of an ordinary GET", "a replay");
        }
        ReplayAssertion.expect(lab, plain, keyed, "the answer of an ordinary GET");
        return CaseVerdict.passed();
    }
}
