package dev.refrain.verify;

import java.util.List;
import java.util.Optional;

/** Another request under a used key. */
final class VerifyMismatchCases {

    private VerifyMismatchCases() {}

    static final List<VerifyCase> ALL = List.of(
            VerifyCase.of(
                            new CaseDescription(
                                    "mismatch-body",
                                    "Another body under a used key is refused; nothing runs, and the first answer stays.",
                                    SpecReferences.FINGERPRINT,
                                    "A client that reuses a key by mistake believes that its second payment went through. It did not; or it ran under a key that was used up."),
                            3,
                            VerifyMismatchCases::body)
                    .skippedWhen(
                            subject -> canBeOther(subject.bodies())
                                    ? Optional.empty()
                                    : Optional.of(
                                            "no other body is known: say --mismatch-body, or put {{n}} or {{uuid}} into --body")),
            VerifyCase.of(
                    new CaseDescription(
                            "mismatch-query",
                            "Another query under a used key is refused; nothing runs.",
                            SpecReferences.FINGERPRINT,
                            "A request for another account or mode (?account=2) is answered with the payment of the first."),
                    2,
                    VerifyMismatchCases::query));

    private static boolean canBeOther(SampleBodies bodies) {
        return bodies.other().isPresent()
                || bodies.intent().hasPlaceholders()
                || JsonBodyEditor.withOtherNumber(bodies.intent().text()).isPresent();
    }

    private static String expected(VerifyCaseContext lab) {
        return lab.subject().profile().mismatch() + " (profile " + lab.subject().profile() + "), and no second effect";
    }

    private static CaseVerdict body(VerifyCaseContext lab) {
        var tally = lab.effectCounter();
        var call = lab.call();
        var first = lab.sendFirst(call);
        var other = lab.send(call.withBody(lab.otherBody(call).orElseThrow()));
        refused(lab, first, other);
        var again = lab.send(call);
        ReplayAssertion.expect(lab, first, again, "the first answer, also after the refusal");
        tally.expect(1, List.of(first, again), "one effect");
        return tally.verdict();
    }

    private static CaseVerdict query(VerifyCaseContext lab) {
        var tally = lab.effectCounter();
        var call = lab.call();
        var first = lab.sendFirst(call);
        var other = lab.send(call.withQuery("refrain-verify=1"));
        boolean replayed = other.status() == first.status() && other.hasBytesOf(first);
        if (replayed && lab.subject().profile() != VerifyProfile.DEFAULT) {
            tally.expect(1, List.of(first, other), "one effect");
            return new CaseVerdict.Advice("the query is not compared: the first answer came back for another one");
        }
        refused(lab, first, other);
        tally.expect(1, List.of(first), "one effect");
        return tally.verdict();
    }

    private static void refused(VerifyCaseContext lab, VerifyResponse first, VerifyResponse other) {
        if (other.status() == lab.subject().profile().mismatch()) {
            return;
        }
        if (!lab.isFirstAnswer(other)) {
            throw ExpectationFailedException.wrongStatus(
                    expected(lab), lab.formatter().answer(other), other.status());
        }
        boolean replayed = other.hasBytesOf(first);
        throw new ExpectationFailedException(
                expected(lab),
                replayed
                        ? "the first request's answer, for a request that is not the first"
                        : "it ran: " + lab.formatter().answer(other));
    }
}
