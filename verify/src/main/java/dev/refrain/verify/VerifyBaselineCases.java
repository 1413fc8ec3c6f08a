package dev.refrain.verify;

import java.util.List;

/** The ground that the other cases stand on: always looked at, and first. */
final class VerifyBaselineCases {

    private VerifyBaselineCases() {}

    static final VerifyCase FIRST_ANSWER = VerifyCase.of(
            new CaseDescription(
                    "first-answer",
                    "A first request with a new key is answered by the handler.",
                    SpecReferences.ENFORCEMENT,
                    "Nobody can pay at all; or what was sent (headers, body) is not what the API wants, and nothing else can be judged."),
            2,
            VerifyBaselineCases::firstAnswer);

    static final VerifyCase TWO_KEYS = VerifyCase.of(
            new CaseDescription(
                    "two-keys-two-effects",
                    "The same request under two keys takes effect twice, with answers of their own.",
                    SpecReferences.UNIQUENESS,
                    "A customer who orders the same thing twice on purpose gets it once, and is told that it came twice."),
            2,
            VerifyBaselineCases::twoKeys);

    static final List<VerifyCase> ALL = List.of(FIRST_ANSWER, TWO_KEYS);

    private static CaseVerdict firstAnswer(VerifyCaseContext lab) {
        var call = lab.call();
        var first = lab.send(call);
        if (!lab.isFirstAnswer(first)) {
            throw new ExpectationFailedException(
                    "the answer of a first request ("
                            + lab.subject().expectations().firstAnswer() + ")",
                    lab.formatter().answer(first) + hint(call, first));
        }
        lab.observations().recordWorkTime(first.took());
        if (lab.send(call).isMarkedReplay()) {
            lab.observations().replaysAreMarked();
        }
        return CaseVerdict.passed();
    }

    /** The most likely reason is that the request is not what the API wants. */
    private static String hint(VerifyRequest call, VerifyResponse answer) {
        String advice = switch (answer.status()) {
            case 401, 403 -> "who asks is not known: say --header 'Authorization: …'";
            case 404, 405 -> "there may be no such route: check the URL and --route";
            case 415 -> "the type of the body is not taken: say --header 'Content-Type: …'";
            default -> call.body().isEmpty() ? "no --body was given" : "the API may not take this --body";
        };
        return answer.status() / 100 == 4 ? ". Maybe " + advice : "";
    }

    private static CaseVerdict twoKeys(VerifyCaseContext lab) {
        var tally = lab.effectCounter();
        var one = lab.call();
        var other = one.withKeys(lab.call().keys().getFirst());
        var first = lab.sendFirst(one);
        var second = lab.send(other);
        lab.observations().recordWorkTime(first.took());
        String expected = "two effects, each with an answer of its own";
        if (!lab.isFirstAnswer(second)) {
            if (lab.subject().bodies().intent().hasPlaceholders() && second.status() < 500) {
                return new CaseVerdict.Advice(
                        "the same body under another key was refused: right if what {{…}} fills must be unique, wrong otherwise");
            }
            throw new ExpectationFailedException(
                    expected, "the second key was answered " + lab.formatter().answer(second));
        }
        if (second.isMarkedReplay()) {
            throw new ExpectationFailedException(expected, "the second key was answered with a replay of the first");
        }
        if (!tally.identity(first).equals(tally.identity(second))) {
            lab.observations().answersTellApart();
        }
        tally.expect(2, List.of(first, second), expected);
        return tally.canCount()
                ? CaseVerdict.passed()
                : new CaseVerdict.Advice(
                        "two effects are answered alike, so answers do not show how often something took effect: say --effects 'GET /…#/count', or --id /pointer");
    }
}
