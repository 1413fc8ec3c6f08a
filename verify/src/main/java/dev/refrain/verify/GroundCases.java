package dev.refrain.verify;

import java.util.List;

/** The ground that the other cases stand on: always looked at, and first. */
final class GroundCases {

    private GroundCases() {}

    static final Case FIRST_ANSWER = Case.of(
            new Words(
                    "first-answer",
                    "A first request with a new key is answered by the handler.",
                    Reference.ENFORCEMENT,
                    "Nobody can pay at all; or what was sent (headers, body) is not what the API wants, and nothing else can be judged."),
            2,
            GroundCases::firstAnswer);

    static final Case TWO_KEYS = Case.of(
            new Words(
                    "two-keys-two-effects",
                    "The same request under two keys takes effect twice, with answers of their own.",
                    Reference.UNIQUENESS,
                    "A customer who orders the same thing twice on purpose gets it once, and is told that it came twice."),
            2,
            GroundCases::twoKeys);

    static final List<Case> ALL = List.of(FIRST_ANSWER, TWO_KEYS);

    private static Verdict firstAnswer(Lab lab) {
        var call = lab.call();
        var first = lab.send(call);
        if (!lab.isFirstAnswer(first)) {
            throw new UnmetException(
                    "the answer of a first request (" + lab.subject().expectations().firstAnswer() + ")",
                    lab.formatter().answer(first) + hint(call, first));
        }
        lab.observations().recordWorkTime(first.took());
        if (lab.send(call).isMarkedReplay()) {
            lab.observations().replaysAreMarked();
        }
        return Verdict.passed();
    }

    /** The most likely reason is that the request is not what the API wants. */
    private static String hint(Call call, Answer answer) {
        String advice = switch (answer.status()) {
            case 401, 403 -> "who asks is not known: say --header 'Authorization: …'";
            case 404, 405 -> "there may be no such route: check the URL and --route";
            case 415 -> "the type of the body is not taken: say --header 'Content-Type: …'";
            default -> call.body().isEmpty() ? "no --body was given" : "the API may not take this --body";
        };
        return answer.status() / 100 == 4 ? ". Maybe " + advice : "";
    }

    private static Verdict twoKeys(Lab lab) {
        var tally = lab.effectCounter();
        var one = lab.call();
        var other = one.withKeys(lab.call().keys().getFirst());
        var first = lab.sendFirst(one);
        var second = lab.send(other);
        lab.observations().recordWorkTime(first.took());
        String expected = "two effects, each with an answer of its own";
        if (!lab.isFirstAnswer(second)) {
            if (lab.subject().bodies().intent().hasPlaceholders() && second.status() < 500) {
                return new Verdict.Advice(
                        "the same body under another key was refused: right if what {{…}} fills must be unique, wrong otherwise");
            }
            throw new UnmetException(
                    expected, "the second key was answered " + lab.formatter().answer(second));
        }
        if (second.isMarkedReplay()) {
            throw new UnmetException(expected, "the second key was answered with a replay of the first");
        }
        if (!tally.identity(first).equals(tally.identity(second))) {
            lab.observations().answersTellApart();
        }
        tally.expect(2, List.of(first, second), expected);
        return tally.canCount()
                ? Verdict.passed()
                : new Verdict.Advice(
                        "two effects are answered alike, so answers do not show how often something took effect: say --effects 'GET /…#/count', or --id /pointer");
    }
}
