package dev.refrain.verify;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The same request again. */
final class ReplayCases {

    private ReplayCases() {}

    static final List<Case> ALL = List.of(
            Case.of(
                    new Words(
                            "replay-same",
                            "The same request again has no second effect, and is answered with the same status and bytes.",
                            Reference.ENFORCEMENT,
                            "Every retry after a lost answer is charged, or is told something else than what happened."),
                    3,
                    ReplayCases::same),
            Case.of(
                    new Words(
                            "replay-headers",
                            "A replay has the Content-Type, Location and ETag of the first answer.",
                            Reference.ENFORCEMENT,
                            "A client that retried cannot read the answer, or does not find what it paid for."),
                    2,
                    ReplayCases::headers),
            Case.of(
                    new Words(
                            "replay-marker",
                            "A replay says that it is one (Idempotent-Replayed: true). Nothing demands it.",
                            "docs/http.md; Stripe's API",
                            "Whoever looks into a double payment cannot see which answers were replays."),
                    2,
                    ReplayCases::marker),
            Case.of(
                    new Words(
                            "replay-other-headers",
                            "A retry with other tracing headers and another user agent is the same request.",
                            Reference.FINGERPRINT,
                            "Each attempt of a real client has a trace id of its own: its retries are refused as other requests, or charged."),
                    2,
                    ReplayCases::otherHeaders),
            Case.of(
                            new Words(
                                    "replay-json-reordered",
                                    "The same JSON with other white space and order is the same request, or is refused; it never runs twice.",
                                    Reference.FINGERPRINT,
                                    "Libraries do not promise the order of members: a retry after a restart is charged again."),
                            2,
                            ReplayCases::reordered)
                    .skippedWhen(subject ->
                            Json.reordered(subject.bodies().intent().text().replaceAll("\\{\\{\\w+}}", "0"))
                                            .isPresent()
                                    ? Optional.empty()
                                    : Optional.of("the body is no JSON object with two members or more")));

    private static Verdict same(Lab lab) {
        var tally = lab.effectCounter();
        var call = lab.call();
        var first = lab.sendFirst(call);
        var again = lab.send(call);
        var onceMore = lab.send(call);
        Sameness.expect(lab, first, again, "the same status and the same bytes");
        Sameness.expect(lab, first, onceMore, "the same status and the same bytes, also the third time");
        tally.expect(1, List.of(first, again, onceMore), "one effect");
        return tally.verdict();
    }

    private static Verdict headers(Lab lab) {
        var call = lab.call();
        var first = lab.sendFirst(call);
        var again = lab.send(call);
        for (String name : List.of("Content-Type", "Location", "ETag")) {
            if (!first.header(name).equals(again.header(name))) {
                throw new UnmetException(
                        name + ": " + first.header(name).orElse("none"),
                        name + ": " + again.header(name).orElse("none"));
            }
        }
        return Verdict.passed();
    }

    private static Verdict marker(Lab lab) {
        var call = lab.call();
        if (lab.sendFirst(call).isMarkedReplay()) {
            throw new UnmetException("no mark on a first answer", "a first answer that says it is a replay");
        }
        return lab.send(call).isMarkedReplay()
                ? Verdict.passed()
                : new Verdict.Advice(
                        "replays are not marked; with Idempotent-Replayed: true they could be told from first answers");
    }

    private static Verdict otherHeaders(Lab lab) {
        var tally = lab.effectCounter();
        var call = lab.call();
        var first = lab.sendFirst(call);
        var again = lab.send(call.with(new Header("User-Agent", "refrain-verify-again"))
                .with(new Header("X-Request-Id", UUID.randomUUID().toString()))
                .with(new Header("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")));
        Sameness.expect(lab, first, again, "the same answer again");
        tally.expect(1, List.of(first, again), "one effect");
        return tally.verdict();
    }

    private static Verdict reordered(Lab lab) {
        var tally = lab.effectCounter();
        var call = lab.call();
        var first = lab.sendFirst(call);
        var again = lab.send(call.withBody(Json.reordered(call.body()).orElseThrow()));
        String expected = "the same answer again, or " + lab.subject().profile().mismatch() + "; one effect";
        boolean refused = again.status() == lab.subject().profile().mismatch();
        if (!refused) {
            Sameness.expect(lab, first, again, expected);
        }
        tally.expect(1, List.of(first, again), expected);
        return refused
                ? new Verdict.Advice(
                        "refused as another request: safe, but a client whose library orders members differently cannot retry")
                : tally.verdict();
    }
}
