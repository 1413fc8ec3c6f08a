package dev.refrain.verify;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Cases about what is kept, for whom and for how long. */
final class VerifyRetentionCases {

    private static final Duration MAX_WAIT = Duration.ofMinutes(5);
    private static final Duration MIN_GRACE = Duration.ofMillis(300);

    private VerifyRetentionCases() {}

    static final List<VerifyCase> ALL = List.of(
            VerifyCase.of(
                            new CaseDescription(
                                    "kept-failure",
                                    "A failure of the work itself (4xx, for example a declined card) is replayed.",
                                    SpecReferences.ENFORCEMENT,
                                    "A customer is told that the card was declined; a late retry of the same request charges it after all."),
                            2,
                            VerifyRetentionCases::failure)
                    .skippedWhen(subject -> subject.bodies().failing().isPresent()
                            ? Optional.empty()
                            : Optional.of("no failing body is known: use --failing-body")),
            VerifyCase.of(
                            new CaseDescription(
                                    "other-caller",
                                    "The same key from another caller is a different key: it runs, and reveals nothing about the first.",
                                    SpecReferences.SCOPE,
                                    "One customer sees another's payment, or blocks it by guessing keys."),
                            2,
                            VerifyRetentionCases::otherCaller)
                    .skippedWhen(subject -> subject.otherCaller().isEmpty()
                            ? Optional.of("no second caller is known: use --other-header")
                            : Optional.empty()),
            VerifyCase.of(
                            new CaseDescription(
                                    "expiry",
                                    "A key is remembered for its retention and is new after it.",
                                    SpecReferences.EXPIRY,
                                    "A retry after the promised time is charged (too short), or a new request gets an old payment (too long)."),
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
                            : Optional.of("the tested route is not a GET: use --effects 'GET /…'")));

    private static CaseVerdict failure(VerifyCaseContext context) {
        var call = context.call()
                .withBody(context.fill(context.subject().bodies().failing().orElseThrow()));
        var first = context.send(call);
        if (first.status() / 100 != 4) {
            return new CaseVerdict.Skipped("the response to --failing-body was " + first.status() + ", not a 4xx");
        }
        var again = context.send(call);
        ReplayAssertion.expect(context, first, again, "the same failure, byte for byte");
        return !context.observations().marksReplays() || again.isMarkedReplay()
                ? CaseVerdict.passed()
                : new CaseVerdict.Advice(
                        "the failure was repeated without a replay marker: correct if it was rejected before the work began, "
                                + "wrong if the work ran again");
    }

    private static CaseVerdict otherCaller(VerifyCaseContext context) {
        var tally = context.effectCounter();
        var call = context.call();
        var mine = context.sendFirst(call);
        var theirs = context.send(call.withCaller(context.subject().otherCaller()));
        String expected =
                "a separate response (" + context.subject().expectations().firstAnswer() + ")";
        if (!context.isFirstAnswer(theirs)) {
            throw new ExpectationFailedException(expected, context.formatter().answer(theirs));
        }
        if (theirs.isMarkedReplay()
                || (context.observations().effectsAreDistinguishable()
                        && tally.identity(mine).equals(tally.identity(theirs)))) {
            throw new ExpectationFailedException(expected, "the first caller's response");
        }
        return context.observations().effectsAreDistinguishable()
                        || context.observations().marksReplays()
                ? CaseVerdict.passed()
                : new CaseVerdict.Advice("succeeded, but whose response it is cannot be seen. Use --id /pointer");
    }

    private static Optional<String> cannotWait(VerifySettings subject) {
        var retention = subject.expectations().retention();
        if (retention.isEmpty()) {
            return Optional.of("the retention is unknown: use --retention with a retention of 5 minutes or less");
        }
        return retention.get().compareTo(MAX_WAIT) > 0
                ? Optional.of("the retention of " + retention.get() + " is too long to wait for; at most 5 minutes")
                : Optional.empty();
    }

    private static CaseVerdict expiry(VerifyCaseContext context) {
        var retention = context.subject().expectations().retention().orElseThrow();
        var tally = context.effectCounter();
        var call = context.call();
        var first = context.sendFirst(call);
        ReplayAssertion.expect(
                context, first, context.send(call), "the same response within the retention of " + retention);
        var grace = retention.dividedBy(10);
        context.advanceTime(retention.plus(grace.compareTo(MIN_GRACE) < 0 ? MIN_GRACE : grace));
        var later = context.send(call);
        String expected = "a new effect after the retention of " + retention;
        if (!context.isFirstAnswer(later) || later.isMarkedReplay()) {
            throw new ExpectationFailedException(expected, context.formatter().answer(later));
        }
        tally.expect(2, List.of(first, later), expected);
        return tally.verdict();
    }

    private static CaseVerdict get(VerifyCaseContext context) {
        var route = context.subject().effectCount().counter().orElseThrow().route();
        var call = context.call();
        context.sendFirst(call);
        var plain = context.get(route, Optional.empty());
        var keyed = context.get(route, Optional.of(call.keys().getFirst()));
        if (keyed.isMarkedReplay()) {
            throw new ExpectationFailedException("the response to an ordinary GET", "a replay");
        }
        ReplayAssertion.expect(context, plain, keyed, "the response to an ordinary GET");
        return CaseVerdict.passed();
    }
}
