package dev.refrain.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** Where the key stands and what it looks like. */
final class VerifyKeySyntaxCases {

    private static final String DOUBLED =
            "A client with a defect sends retries that are not recognised: each is charged.";

    private VerifyKeySyntaxCases() {}

    static final List<VerifyCase> ALL = List.of(
            VerifyCase.of(
                            new CaseDescription(
                                    "key-quoted-and-bare",
                                    "\"k\" and k are one key, or the bare one is refused.",
                                    SpecReferences.SYNTAX,
                                    "Two versions of a client's library write the key differently; a retry across an update is charged again."),
                            2,
                            VerifyKeySyntaxCases::quotedAndBare)
                    .skippedWhen(VerifyKeySyntaxCases::ownSyntax),
            VerifyCase.of(
                    new CaseDescription(
                            "key-header-name",
                            "The header's name may be written in capitals or not.",
                            SpecReferences.FIELDS,
                            "A proxy or HTTP/2 writes the name in small letters; the key is not seen, and the retry is charged again."),
                    2,
                    VerifyKeySyntaxCases::headerName),
            VerifyCase.of(
                    new CaseDescription(
                            "key-missing",
                            "A request without a key is refused with 400, and nothing runs (or keys are optional).",
                            SpecReferences.ERRORS,
                            "A client that forgets the key is charged for each of its retries, and nobody notices."),
                    1,
                    VerifyKeySyntaxCases::missing),
            VerifyCase.of(
                    new CaseDescription(
                            "key-empty",
                            "An empty key is refused, and nothing runs.",
                            SpecReferences.SYNTAX,
                            "All clients whose key is empty by mistake share one key: one pays, the others are answered with its payment."),
                    2,
                    VerifyKeySyntaxCases::empty),
            VerifyCase.of(
                    new CaseDescription(
                            "key-long",
                            "Long keys (255 and 300 bytes) that differ only at the end are two keys, or are refused.",
                            SpecReferences.UNIQUENESS,
                            "Long keys are cut off: two customers share one key, and one of them never pays."),
                    4,
                    lab -> {
                        for (int length : new int[] {255, 300}) {
                            String start = UUID.randomUUID() + "-" + "k".repeat(length - 38);
                            twoKeysOrRefused(lab, start + "a", start + "b");
                        }
                        return CaseVerdict.passed();
                    }),
            VerifyCase.of(
                    new CaseDescription(
                            "key-case",
                            "Keys that differ in capitals are two keys, or are refused.",
                            SpecReferences.UNIQUENESS,
                            "Two different payments with keys such as aB1 and Ab1 become one."),
                    2,
                    lab -> {
                        String key = "verify-" + UUID.randomUUID();
                        return twoKeysOrRefused(lab, key, key.toUpperCase(Locale.ROOT));
                    }),
            VerifyCase.of(
                            new CaseDescription(
                                    "key-malformed",
                                    "A key that is no structured string (open quote, two words, something behind the quote) is refused.",
                                    SpecReferences.SYNTAX,
                                    DOUBLED),
                            3,
                            VerifyKeySyntaxCases::malformed)
                    .skippedWhen(VerifyKeySyntaxCases::ownSyntax),
            VerifyCase.of(
                    new CaseDescription(
                            "key-control-bytes",
                            "A key with control bytes is refused, and nothing runs.",
                            SpecReferences.FIELDS,
                            "Keys that a log, a proxy or a database reads differently are one key here and two there."),
                    2,
                    VerifyKeySyntaxCases::controlBytes),
            VerifyCase.of(
                    new CaseDescription(
                            "key-repeated",
                            "Two keys in one request are refused, and nothing runs.",
                            SpecReferences.FIELDS,
                            "Which of the two is the key depends on the server or proxy: the retry takes the other one and is charged again."),
                    2,
                    VerifyKeySyntaxCases::repeated));

    private static Optional<String> ownSyntax(VerifySettings subject) {
        return subject.profile().structuredKeys()
                ? Optional.empty()
                : Optional.of("in profile " + subject.profile() + " a key is any text, and quotes are part of it");
    }

    private static CaseVerdict quotedAndBare(VerifyCaseContext lab) {
        var tally = lab.effectCounter();
        String key = UUID.randomUUID().toString();
        var quoted = lab.call().withKeys(VerifyCaseContext.quoted(key));
        var first = lab.sendFirst(quoted);
        var bare = lab.send(quoted.withKeys(key));
        String expected = "the same answer again, or 400";
        if (bare.status() != 400) {
            ReplayAssertion.expect(lab, first, bare, expected);
        }
        tally.expect(1, List.of(first, bare), expected);
        return tally.verdict();
    }

    private static CaseVerdict headerName(VerifyCaseContext lab) {
        var tally = lab.effectCounter();
        var call = lab.call();
        var first = lab.sendFirst(call);
        String name = lab.subject().api().keyHeader();
        String small = name.toLowerCase(Locale.ROOT);
        String otherName = small.equals(name) ? name.toUpperCase(Locale.ROOT) : small;
        var again = lab.send(
                call.withKeys().with(new VerifyHeader(otherName, call.keys().getFirst())));
        ReplayAssertion.expect(lab, first, again, "the same answer again");
        tally.expect(1, List.of(first, again), "one effect");
        return tally.verdict();
    }

    private static CaseVerdict missing(VerifyCaseContext lab) {
        var tally = lab.effectCounter();
        var answer = lab.send(lab.call().withKeys());
        if (lab.subject().expectations().keyOptional() && lab.isFirstAnswer(answer)) {
            return new CaseVerdict.Advice("a request without a key runs unprotected: its retries run again");
        }
        String expected = "400, and nothing runs (if keys are optional here, say --optional-key)";
        if (answer.status() != 400) {
            throw unmet(lab, expected, answer);
        }
        tally.expect(0, List.of(answer), expected);
        return CaseVerdict.passed();
    }

    private static CaseVerdict empty(VerifyCaseContext lab) {
        var calls = new ArrayList<>(List.of(lab.call().withKeys("")));
        if (lab.subject().profile().structuredKeys()) {
            calls.add(lab.call().withKeys("\"\""));
        }
        return refused(lab, calls, lab::send);
    }

    private static CaseVerdict malformed(VerifyCaseContext lab) {
        String key = UUID.randomUUID().toString();
        return refused(
                lab,
                List.of(
                        lab.call().withKeys('"' + key),
                        lab.call().withKeys(key + " and more"),
                        lab.call().withKeys(VerifyCaseContext.quoted(key) + " and more")),
                lab::send);
    }

    private static CaseVerdict controlBytes(VerifyCaseContext lab) {
        var calls = List.of(
                lab.call().withKeys(lab.key("a\u0001" + UUID.randomUUID())),
                lab.call().withKeys(lab.key(UUID.randomUUID() + "\u007f")));
        return refused(
                lab,
                calls,
                call -> lab.onWire(call, "", wire -> {
                    wire.send(call);
                    return wire.status();
                }));
    }

    private static CaseVerdict repeated(VerifyCaseContext lab) {
        var one = lab.call();
        var two = one.withKeys(one.keys().getFirst(), lab.call().keys().getFirst());
        var twice = lab.call();
        var alike = twice.withKeys(twice.keys().getFirst(), twice.keys().getFirst());
        return refused(lab, List.of(two, alike), lab::send);
    }

    /** None of them may run where keys are structured; elsewhere what runs is told. */
    private static CaseVerdict refused(
            VerifyCaseContext lab, List<VerifyRequest> calls, Function<VerifyRequest, VerifyResponse> sending) {
        boolean strict = lab.subject().profile().structuredKeys();
        String expected = strict ? "400, and nothing runs" : "a 4xx, and nothing runs";
        var tally = lab.effectCounter();
        var ran = new ArrayList<VerifyResponse>();
        for (var call : calls) {
            var answer = sending.apply(call);
            boolean refused = strict ? answer.status() == 400 : answer.status() / 100 == 4;
            if (!refused && (strict || !lab.isFirstAnswer(answer))) {
                throw unmet(lab, expected, answer);
            }
            if (!refused) {
                ran.add(answer);
            }
        }
        tally.expect(ran.size(), ran, expected);
        return ran.isEmpty()
                ? CaseVerdict.passed()
                : new CaseVerdict.Advice(ran.size() + " of " + calls.size() + " such keys were taken; in profile "
                        + lab.subject().profile() + " that is not forbidden");
    }

    private static ExpectationFailedException unmet(VerifyCaseContext lab, String expected, VerifyResponse answer) {
        return lab.isFirstAnswer(answer)
                ? new ExpectationFailedException(
                        expected, "it ran: " + lab.formatter().answer(answer))
                : ExpectationFailedException.wrongStatus(
                        expected, lab.formatter().answer(answer), answer.status());
    }

    private static CaseVerdict twoKeysOrRefused(VerifyCaseContext lab, String one, String other) {
        var tally = lab.effectCounter();
        var call = lab.call();
        var first = lab.send(call.withKeys(lab.key(one)));
        // Another intent where the body varies: then a key that is taken for the first one shows as a mismatch.
        var second = lab.send(lab.call().withKeys(lab.key(other)));
        String expected = "two effects, or both refused with a 4xx";
        boolean bothRefused = first.status() / 100 == 4 && second.status() / 100 == 4;
        boolean bothRan = lab.isFirstAnswer(first) && lab.isFirstAnswer(second) && !second.isMarkedReplay();
        if (!bothRefused && !bothRan) {
            throw new ExpectationFailedException(
                    expected,
                    "the first " + lab.formatter().answer(first) + ", the second "
                            + lab.formatter().answer(second));
        }
        tally.expect(bothRan ? 2 : 0, List.of(first, second), expected);
        return tally.verdict();
    }
}
