package dev.refrain.verify;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The same request again. */
final class VerifyReplayCases {

    private VerifyReplayCases() {}

    static final List<VerifyCase> ALL = List.of(
            VerifyCase.of(
                    new CaseDescription(
                            "replay-same",
                            "The same request again has no second effect, and is answered with the same status and bytes.",
                            SpecReferences.ENFORCEMENT,
                            "Every retry after a lost answer is charged, or is told something else than what happened."),
                    3,
                    VerifyReplayCases::same),
            VerifyCase.of(
                    new CaseDescription(
                            "replay-headers",
                            "A replay has the Content-Type, Location and ETag of the first answer.",
                            SpecReferences.ENFORCEMENT,
                            "A client that retried cannot read the answer, or does not find what it paid for."),
                    2,
                    VerifyReplayCases::headers),
            VerifyCase.of(
                    new CaseDescription(
                            "replay-marker",
                            "A replay says that it is one (Idempotent-Replayed: true). Nothing demands it.",
                            "docs/http.md; Stripe's API",
                            "Whoever looks into a double payment cannot see which answers were replays."),
                    2,
                    VerifyReplayCases::marker),
            VerifyCase.of(
                    new CaseDescription(
                            "replay-other-headers",
                            "A retry with other tracing headers and another user agent is the same request.",
                            SpecReferences.FINGERPRINT,
                            "Each attempt of a real client has a trace id of its own: its retries are refused as other requests, or charged."),
                    2,
                    VerifyReplayCases::otherHeaders),
            VerifyCase.of(
                            new CaseDescription(
                                    "replay-json-reordered",
                                    "The same JSON with other white space and order is the same request, or is refused; it never runs twice.",
                                    SpecReferences.FINGERPRINT,
                                    "Libraries do not promise the order of members: a retry after a restart is charged again."),
                            2,
                            VerifyReplayCases::reordered)
                    .skippedWhen(subject -> JsonBodyEditor.reordered(
                                            subject.bodies().intent().text().replaceAll("\\{\\{\\w+}}", "0"))
                                    .isPresent()
                            ? Optional.empty()
                            : Optional.of("the body is no JSON object with two members or more")));

    private static CaseVerdict same(VerifyCaseContext lab) {
        var tally = lab.effectCounter();
        var call = lab.call();
        var first = lab.sendFirst(call);
        var again = lab.send(call);
        var onceMore = lab.send(call);
        ReplayAssertion.expect(lab, first, again, "the same status and the same bytes");
        ReplayAssertion.expect(lab, first, onceMore, "the same status and the same bytes, also the third time");
        tally.expect(1, List.of(first, again, onceMore), "one effect");
        return tally.verdict();
    }

    private static CaseVerdict headers(VerifyCaseContext lab) {
        var call = lab.call();
        var first = lab.sendFirst(call);
        var again = lab.send(call);
        for (String name : List.of("Content-Type", "Location", "ETag")) {
            if (!first.header(name).equals(again.header(name))) {
                throw new ExpectationFailedException(
                        name + ": " + first.header(name).orElse("none"),
                        name + ": " + again.header(name).orElse("none"));
            }
        }
        return CaseVerdict.passed();
    }

    private static CaseVerdict marker(VerifyCaseContext lab) {
        var call = lab.call();
        if (lab.sendFirst(call).isMarkedReplay()) {
            throw new ExpectationFailedException(
                    "no mark on a first answer", "a first answer that says it is a replay");
        }
        return lab.send(call).isMarkedReplay()
                ? CaseVerdict.passed()
                : new CaseVerdict.Advice(
                        "replays are not marked; with Idempotent-Replayed: true they could be told from first answers");
    }

    private static CaseVerdict otherHeaders(VerifyCaseContext lab) {
        var tally = lab.effectCounter();
        var call = lab.call();
        var first = lab.sendFirst(call);
        var again = lab.send(call.with(new VerifyHeader("User-Agent", "refrain-verify-again"))
                .with(new VerifyHeader("X-Request-Id", UUID.randomUUID().toString()))
                .with(new VerifyHeader("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")));
        ReplayAssertion.expect(lab, first, again, "the same answer again");
        tally.expect(1, List.of(first, again), "one effect");
        return tally.verdict();
    }

    private static CaseVerdict reordered(VerifyCaseContext lab) {
        var tally = lab.effectCounter();
        var call = lab.call();
        var first = lab.sendFirst(call);
        var again = lab.send(call.withBody(JsonBodyEditor.reordered(call.body()).orElseThrow()));
        String expected = "the same answer again, or " + lab.subject().profile().mismatch() + "; one effect";
        boolean refused = again.status() == lab.subject().profile().mismatch();
        if (!refused) {
            ReplayAssertion.expect(lab, first, again, expected);
        }
        tally.expect(1, List.of(first, again), expected);
        return refused
                ? new CaseVerdict.Advice(
                        "refused as another request: safe, but a client whose library orders members differently cannot retry")
                : tally.verdict();
    }
}
