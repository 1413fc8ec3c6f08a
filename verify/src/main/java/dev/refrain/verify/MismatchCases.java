package dev.refrain.verify;

import java.util.List;
import java.util.Optional;

/** Another request under a used key. */
final class MismatchCases {

    private MismatchCases() {}

    static final List<Case> ALL = List.of(
            Case.of(
                            new Words(
                                    "mismatch-body",
                                    "Another body under a used key is refused; nothing runs, and the first answer stays.",
                                    Reference.FINGERPRINT,
                                    "A client that reuses a key by mistake believes that its second payment went through. It did not; or it ran under a key that was used up."),
                            3,
                            MismatchCases::body)
                    .skippedWhen(
                            subject -> canBeOther(subject.bodies())
                                    ? Optional.empty()
                                    : Optional.of(
                                            "no other body is known: say --mismatch-body, or put {{n}} or {{uuid}} into --body")),
            Case.of(
                    new Words(
                            "mismatch-query",
                            "Another query under a used key is refused; nothing runs.",
                            Reference.FINGERPRINT,
                            "A request for another account or mode (?account=2) is answered with the payment of the first."),
                    2,
                    MismatchCases::query));

    private static boolean canBeOther(Bodies bodies) {
        return bodies.other().isPresent()
                || bodies.intent().hasPlaceholders()
                || Json.withOtherNumber(bodies.intent().text()).isPresent();
    }

    private static String expected(Lab lab) {
        return lab.subject().profile().mismatch() + " (profile " + lab.subject().profile() + "), and no second effect";
    }

    private static Verdict body(Lab lab) {
        var tally = lab.effectCounter();
        var call = lab.call();
        var first = lab.sendFirst(call);
        var other = lab.send(call.withBody(lab.otherBody(call).orElseThrow()));
        refused(lab, first, other);
        var again = lab.send(call);
        Sameness.expect(lab, first, again, "the first answer, also after the refusal");
        tally.expect(1, List.of(first, again), "one effect");
        return tally.verdict();
    }

    private static Verdict query(Lab lab) {
        var tally = lab.effectCounter();
        var call = lab.call();
        var first = lab.sendFirst(call);
        var other = lab.send(call.withQuery("refrain-verify=1"));
        boolean replayed = other.status() == first.status() && other.hasBytesOf(first);
        if (replayed && lab.subject().profile() != Profile.DEFAULT) {
            tally.expect(1, List.of(first, other), "one effect");
            return new Verdict.Advice("the query is not compared: the first answer came back for another one");
        }
        refused(lab, first, other);
        tally.expect(1, List.of(first), "one effect");
        return tally.verdict();
    }

    private static void refused(Lab lab, Answer first, Answer other) {
        if (other.status() == lab.subject().profile().mismatch()) {
            return;
        }
        if (!lab.isFirstAnswer(other)) {
            throw UnmetException.wrongStatus(expected(lab), lab.formatter().answer(other), other.status());
        }
        boolean replayed = other.hasBytesOf(first);
        throw new UnmetException(
                expected(lab),
                replayed
                        ? "the first request's answer, for a request that is not the first"
                        : "it ran: " + lab.formatter().answer(other));
    }
}
