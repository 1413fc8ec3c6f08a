package dev.refrain.verify;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Cases about repeating the same request. */
final class VerifyReplayCases {

    private VerifyReplayCases() {}

    static final List<VerifyCase> ALL = List.of(
            VerifyCase.of(
                    new CaseDescription(
                            "replay-same",
                            "Repeating a request has no second effect and returns the same status and bytes.",
                            SpecReferences.ENFORCEMENT,
                            "Every retry after a lost response is charged, or reports something other than what happened."),
                    3,
                    VerifyReplayCases::same),
            VerifyCase.of(
                    new CaseDescription(
                            "replay-headers",
                            "A replay has the Content-Type, Location and ETag of the first response.",
                            SpecReferences.ENFORCEMENT,
                            "A client that retried cannot read the response, or cannot find what it paid for."),
                    2,
                    VerifyReplayCases::headers),
            VerifyCase.of(
                    new CaseDescription(
                            "replay-marker",
                            "A replay is marked with Idempotent-Replayed: true. No standard requires it.",
                            "docs/http.md; Stripe's API",
                            "Someone who investigates a double payment cannot see which responses were replays."),
                    2,
                    VerifyReplayCases::marker),
            VerifyCase.of(
                    new CaseDescription(
                            "replay-other-headers",
                            "A retry with different tracing headers and user agent is the same request.",
                            SpecReferences.FINGERPRINT,
                            "Every attempt of a real client has its own trace id: its retries are rejected as different "
                                    + "requests, or charged."),
                    2,
                    VerifyReplayCases::otherHeaders),
            VerifyCase.of(
                            new CaseDescription(
                                    "replay-json-reordered",
                                    "The same JSON with different white space and member order is the same request, or is rejected; it "
                                            + "never runs twice.",
                                    SpecReferences.FINGERPRINT,
                                    "Libraries do not guarantee the order of members: a retry after a restart is charged again."),
                            2,
                            VerifyReplayCases::reordered)
                    .skippedWhen(subject -> JsonBodyEditor.reordered(
                                            subject.bodies().intent().text().replaceAll("\\{\\{\\w+}}", "0"))
                                    .isPresent()
                            ? Optional.empty()
                            : Optional.of("the body is not a JSON object with at least two members")));

    private static CaseVerdict same(VerifyCaseContext context) {
        var tally = context.effectCounter();
        var call = context.call();
        var first = context.sendFirst(call);
        var again = context.send(call);
        var onceMore = context.send(call);
        ReplayAssertion.expect(context, first, again, "the same status and bytes");
        ReplayAssertion.expect(context, first, onceMore, "the same status and bytes, also the third time");
        tally.expect(1, List.of(first, again, onceMore), "one effect");
        return tally.verdict();
    }

    private static CaseVerdict headers(VerifyCaseContext context) {
        var call = context.call();
        var first = context.sendFirst(call);
        var again = context.send(call);
        for (String name : List.of("Content-Type", "Location", "ETag")) {
            if (!first.header(name).equals(again.header(name))) {
                throw new ExpectationFailedException(
                        name + ": " + first.header(name).orElse("none"),
                        name + ": " + again.header(name).orElse("none"));
            }
        }
        return CaseVerdict.passed();
    }

    private static CaseVerdict marker(VerifyCaseContext context) {
        var call = context.call();
        if (context.sendFirst(call).isMarkedReplay()) {
            throw new ExpectationFailedException(
                    "no replay marker on a first response", "a first response marked as a replay");
        }
        return context.send(call).isMarkedReplay()
                ? CaseVerdict.passed()
                : new CaseVerdict.Advice(
                        "replays are not marked; Idempotent-Replayed: true would distinguish them from first responses");
    }

    private static CaseVerdict otherHeaders(VerifyCaseContext context) {
        var tally = context.effectCounter();
        var call = context.call();
        var first = context.sendFirst(call);
        var again = context.send(call.with(new OutgoingHeader("User-Agent", "refrain-verify-again"))
                .with(new OutgoingHeader("X-Request-Id", UUID.randomUUID().toString()))
                .with(new OutgoingHeader("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")));
        ReplayAssertion.expect(context, first, again, "the same response again");
        tally.expect(1, List.of(first, again), "one effect");
        return tally.verdict();
    }

    private static CaseVerdict reordered(VerifyCaseContext context) {
        var tally = context.effectCounter();
        var call = context.call();
        var first = context.sendFirst(call);
        var again =
                context.send(call.withBody(JsonBodyEditor.reordered(call.body()).orElseThrow()));
        String expected =
                "the same response again, or " + context.subject().profile().mismatch() + "; one effect";
        boolean refused = again.status() == context.subject().profile().mismatch();
        if (!refused) {
            ReplayAssertion.expect(context, first, again, expected);
        }
        tally.expect(1, List.of(first, again), expected);
        return refused
                ? new CaseVerdict.Advice(
                        "rejected as a different request: safe, but a client whose library orders members differently cannot retry")
                : tally.verdict();
    }
}
