package dev.refrain.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** Cases about the key header and the syntax of keys. */
final class VerifyKeySyntaxCases {

    private static final String CHARGED_AGAIN = "Retries of a buggy client are not recognized: each one is charged.";

    private VerifyKeySyntaxCases() {}

    static final List<VerifyCase> ALL = List.of(
            VerifyCase.of(
                            new CaseDescription(
                                    "key-quoted-and-bare",
                                    "\"k\" and k are the same key, or the bare form is rejected.",
                                    SpecReferences.SYNTAX,
                                    "Two versions of a client library write the key differently; a retry after an update is charged again."),
                            2,
                            VerifyKeySyntaxCases::quotedAndBare)
                    .skippedWhen(VerifyKeySyntaxCases::customSyntax),
            VerifyCase.of(
                    new CaseDescription(
                            "key-header-name",
                            "The name of the key header is case-insensitive.",
                            SpecReferences.FIELDS,
                            "A proxy or HTTP/2 writes the name in lower case; the key is not seen, and the retry is charged again."),
                    2,
                    VerifyKeySyntaxCases::headerName),
            VerifyCase.of(
                    new CaseDescription(
                            "key-missing",
                            "A request without a key is rejected with 400 and does not run (unless keys are optional).",
                            SpecReferences.ERRORS,
                            "A client that forgets the key is charged for every retry, and no one notices."),
                    1,
                    VerifyKeySyntaxCases::missing),
            VerifyCase.of(
                    new CaseDescription(
                            "key-empty",
                            "An empty key is rejected and nothing runs.",
                            SpecReferences.SYNTAX,
                            "All clients that send an empty key by mistake share one key: one pays, and the others get its response."),
                    2,
                    VerifyKeySyntaxCases::empty),
            VerifyCase.of(
                    new CaseDescription(
                            "key-long",
                            "Long keys (255 and 300 bytes) that differ only at the end are different keys, or are rejected.",
                            SpecReferences.UNIQUENESS,
                            "Long keys are truncated: two customers share one key, and one of them never pays."),
                    4,
                    context -> {
                        for (int length : new int[] {255, 300}) {
                            String start = UUID.randomUUID() + "-" + "k".repeat(length - 38);
                            twoKeysOrRefused(context, start + "a", start + "b");
                        }
                        return CaseVerdict.passed();
                    }),
            VerifyCase.of(
                    new CaseDescription(
                            "key-case",
                            "Keys that differ only in upper and lower case are different keys, or are rejected.",
                            SpecReferences.UNIQUENESS,
                            "Two different payments with keys such as aB1 and Ab1 become one."),
                    2,
                    context -> {
                        String key = "verify-" + UUID.randomUUID();
                        return twoKeysOrRefused(context, key, key.toUpperCase(Locale.ROOT));
                    }),
            VerifyCase.of(
                            new CaseDescription(
                                    "key-malformed",
                                    "A key that is not a structured string (open quote, two words, text after the quote) is rejected.",
                                    SpecReferences.SYNTAX,
                                    CHARGED_AGAIN),
                            3,
                            VerifyKeySyntaxCases::malformed)
                    .skippedWhen(VerifyKeySyntaxCases::customSyntax),
            VerifyCase.of(
                    new CaseDescription(
                            "key-control-bytes",
                            "A key with control bytes is rejected and nothing runs.",
                            SpecReferences.FIELDS,
                            "Logs, proxies and databases read such keys differently: one key here is two keys there."),
                    2,
                    VerifyKeySyntaxCases::controlBytes),
            VerifyCase.of(
                    new CaseDescription(
                            "key-repeated",
                            "A request with two keys is rejected and nothing runs.",
                            SpecReferences.FIELDS,
                            "Which of the two keys counts depends on the server or proxy: the retry uses the other one and is "
                                    + "charged again."),
                    2,
                    VerifyKeySyntaxCases::repeated));

    private static Optional<String> customSyntax(VerifySettings subject) {
        return subject.profile().structuredKeys()
                ? Optional.empty()
                : Optional.of("the profile " + subject.profile() + " accepts any text as a key, quotes included");
    }

    private static CaseVerdict quotedAndBare(VerifyCaseContext context) {
        var tally = context.effectCounter();
        String key = UUID.randomUUID().toString();
        var quoted = context.call().withKeys(VerifyCaseContext.quoted(key));
        var first = context.sendFirst(quoted);
        var bare = context.send(quoted.withKeys(key));
        String expected = "the same response again, or 400";
        if (bare.status() != 400) {
            ReplayAssertion.expect(context, first, bare, expected);
        }
        tally.expect(1, List.of(first, bare), expected);
        return tally.verdict();
    }

    private static CaseVerdict headerName(VerifyCaseContext context) {
        var tally = context.effectCounter();
        var call = context.call();
        var first = context.sendFirst(call);
        String name = context.subject().api().keyHeader();
        String small = name.toLowerCase(Locale.ROOT);
        String otherName = small.equals(name) ? name.toUpperCase(Locale.ROOT) : small;
        var again = context.send(
                call.withKeys().with(new OutgoingHeader(otherName, call.keys().getFirst())));
        ReplayAssertion.expect(context, first, again, "the same response again");
        tally.expect(1, List.of(first, again), "one effect");
        return tally.verdict();
    }

    private static CaseVerdict missing(VerifyCaseContext context) {
        var tally = context.effectCounter();
        var answer = context.send(context.call().withKeys());
        if (context.subject().expectations().keyOptional() && context.isFirstAnswer(answer)) {
            return new CaseVerdict.Advice("a request without a key runs unprotected, and so do its retries");
        }
        String expected = "400, and nothing runs (if keys are optional, use --optional-key)";
        if (answer.status() != 400) {
            throw unmet(context, expected, answer);
        }
        tally.expect(0, List.of(answer), expected);
        return CaseVerdict.passed();
    }

    private static CaseVerdict empty(VerifyCaseContext context) {
        var calls = new ArrayList<>(List.of(context.call().withKeys("")));
        if (context.subject().profile().structuredKeys()) {
            calls.add(context.call().withKeys("\"\""));
        }
        return refused(context, calls, context::send);
    }

    private static CaseVerdict malformed(VerifyCaseContext context) {
        String key = UUID.randomUUID().toString();
        return refused(
                context,
                List.of(
                        context.call().withKeys('"' + key),
                        context.call().withKeys(key + " and more"),
                        context.call().withKeys(VerifyCaseContext.quoted(key) + " and more")),
                context::send);
    }

    private static CaseVerdict controlBytes(VerifyCaseContext context) {
        var calls = List.of(
                context.call().withKeys(context.key("a\u0001" + UUID.randomUUID())),
                context.call().withKeys(context.key(UUID.randomUUID() + "\u007f")));
        return refused(
                context,
                calls,
                call -> context.onWire(call, "", wire -> {
                    wire.send(call);
                    return wire.status();
                }));
    }

    private static CaseVerdict repeated(VerifyCaseContext context) {
        var one = context.call();
        var two = one.withKeys(one.keys().getFirst(), context.call().keys().getFirst());
        var twice = context.call();
        var sameTwice = twice.withKeys(twice.keys().getFirst(), twice.keys().getFirst());
        return refused(context, List.of(two, sameTwice), context::send);
    }

    /**
     * Expects all requests to be rejected where keys are structured; elsewhere, requests that ran are reported as
     * advice.
     */
    private static CaseVerdict refused(
            VerifyCaseContext context, List<VerifyRequest> calls, Function<VerifyRequest, VerifyResponse> sending) {
        boolean strict = context.subject().profile().structuredKeys();
        String expected = strict ? "400, and nothing runs" : "a 4xx, and nothing runs";
        var tally = context.effectCounter();
        var ran = new ArrayList<VerifyResponse>();
        for (var call : calls) {
            var answer = sending.apply(call);
            boolean refused = strict ? answer.status() == 400 : answer.status() / 100 == 4;
            if (!refused && (strict || !context.isFirstAnswer(answer))) {
                throw unmet(context, expected, answer);
            }
            if (!refused) {
                ran.add(answer);
            }
        }
        tally.expect(ran.size(), ran, expected);
        return ran.isEmpty()
                ? CaseVerdict.passed()
                : new CaseVerdict.Advice(
                        ran.size() + " of " + calls.size() + " such keys were accepted, which the profile "
                                + context.subject().profile() + " does not forbid");
    }

    private static ExpectationFailedException unmet(VerifyCaseContext context, String expected, VerifyResponse answer) {
        return context.isFirstAnswer(answer)
                ? new ExpectationFailedException(
                        expected, "the request ran: " + context.formatter().answer(answer))
                : ExpectationFailedException.wrongStatus(
                        expected, context.formatter().answer(answer), answer.status());
    }

    private static CaseVerdict twoKeysOrRefused(VerifyCaseContext context, String one, String other) {
        var tally = context.effectCounter();
        var call = context.call();
        var first = context.send(call.withKeys(context.key(one)));
        // Different requests, if the body has placeholders: a key mistaken for the first one then shows as a mismatch.
        var second = context.send(context.call().withKeys(context.key(other)));
        String expected = "two effects, or both rejected with a 4xx";
        boolean bothRefused = first.status() / 100 == 4 && second.status() / 100 == 4;
        boolean bothRan = context.isFirstAnswer(first) && context.isFirstAnswer(second) && !second.isMarkedReplay();
        if (!bothRefused && !bothRan) {
            throw new ExpectationFailedException(
                    expected,
                    "first " + context.formatter().answer(first) + ", then "
                            + context.formatter().answer(second));
        }
        tally.expect(bothRan ? 2 : 0, List.of(first, second), expected);
        return tally.verdict();
    }
}
