package dev.refrain.verify;

import java.util.List;
import java.util.Optional;

/** Cases about different requests under a used key. */
final class VerifyMismatchCases {

    private VerifyMismatchCases() {}

    static final List<VerifyCase> ALL = List.of(
            VerifyCase.of(
                            new CaseDescription(
                                    "mismatch-body",
                                    "A different body under a used key is rejected; nothing runs, and the first response is kept.",
                                    SpecReferences.FINGERPRINT,
                                    "A client that reuses a key by mistake believes that its second payment succeeded. It did not, or it "
                                            + "ran under a used key."),
                            3,
                            VerifyMismatchCases::body)
                    .skippedWhen(
                            subject -> canDiffer(subject.bodies())
                                    ? Optional.empty()
                                    : Optional.of(
                                            "no different body is known: use --mismatch-body, or put {{n}} or {{uuid}} into --body")),
            VerifyCase.of(
                    new CaseDescription(
                            "mismatch-query",
                            "A different query under a used key is rejected and nothing runs.",
                            SpecReferences.FINGERPRINT,
                            "A request for another account or mode (?account=2) gets the payment of the first."),
                    2,
                    VerifyMismatchCases::query));

    private static boolean canDiffer(SampleBodies bodies) {
        return bodies.other().isPresent()
                || bodies.intent().hasPlaceholders()
                || JsonBodyEditor.withOtherNumber(bodies.intent().text()).isPresent();
    }

    private static String expected(VerifyCaseContext context) {
        return context.subject().profile().mismatch() + " (profile "
                + context.subject().profile() + "), and no second effect";
    }

    private static CaseVerdict body(VerifyCaseContext context) {
        var tally = context.effectCounter();
        var call = context.call();
        var first = context.sendFirst(call);
        var other = context.send(call.withBody(context.otherBody(call).orElseThrow()));
        refused(context, first, other);
        var again = context.send(call);
        ReplayAssertion.expect(context, first, again, "the first response, also after the rejection");
        tally.expect(1, List.of(first, again), "one effect");
        return tally.verdict();
    }

    private static CaseVerdict query(VerifyCaseContext context) {
        var tally = context.effectCounter();
        var call = context.call();
        var first = context.sendFirst(call);
        var other = context.send(call.withQuery("refrain-verify=1"));
        boolean replayed = other.status() == first.status() && other.hasBytesOf(first);
        if (replayed && context.subject().profile() != VerifyProfile.DEFAULT) {
            tally.expect(1, List.of(first, other), "one effect");
            return new CaseVerdict.Advice("the query is not compared: a different query got the first response");
        }
        refused(context, first, other);
        tally.expect(1, List.of(first), "one effect");
        return tally.verdict();
    }

    private static void refused(VerifyCaseContext context, VerifyResponse first, VerifyResponse other) {
        if (other.status() == context.subject().profile().mismatch()) {
            return;
        }
        if (!context.isFirstAnswer(other)) {
            throw ExpectationFailedException.wrongStatus(
                    expected(context), context.formatter().answer(other), other.status());
        }
        boolean replayed = other.hasBytesOf(first);
        throw new ExpectationFailedException(
                expected(context),
                replayed
                        ? "the first request's response, for a different request"
                        : "the request ran: " + context.formatter().answer(other));
    }
}
