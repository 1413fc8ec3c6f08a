package dev.refrain.verify;

import java.util.List;

/** Cases that always run first, because the others rely on what they observe. */
final class VerifyBaselineCases {

    private VerifyBaselineCases() {}

    static final VerifyCase FIRST_ANSWER = VerifyCase.of(
            new CaseDescription(
                    "first-answer",
                    "A first request with a new key succeeds.",
                    SpecReferences.ENFORCEMENT,
                    "No one can pay at all; or the request (headers, body) is not what the API expects, and nothing else "
                            + "can be tested."),
            2,
            VerifyBaselineCases::firstAnswer);

    static final VerifyCase TWO_KEYS = VerifyCase.of(
            new CaseDescription(
                    "two-keys-two-effects",
                    "The same request under two keys takes effect twice, with a separate response each.",
                    SpecReferences.UNIQUENESS,
                    "A customer who orders the same thing twice on purpose gets it once, but is told that both orders "
                            + "went through."),
            2,
            VerifyBaselineCases::twoKeys);

    static final List<VerifyCase> ALL = List.of(FIRST_ANSWER, TWO_KEYS);

    private static CaseVerdict firstAnswer(VerifyCaseContext context) {
        var call = context.call();
        var first = context.send(call);
        if (!context.isFirstAnswer(first)) {
            throw new ExpectationFailedException(
                    "the response to a first request ("
                            + context.subject().expectations().firstAnswer() + ")",
                    context.formatter().answer(first) + hint(call, first));
        }
        context.observations().recordWorkTime(first.took());
        if (context.send(call).isMarkedReplay()) {
            context.observations().replaysAreMarked();
        }
        return CaseVerdict.passed();
    }

    /** The most likely reason is a request that the API does not accept. */
    private static String hint(VerifyRequest call, VerifyResponse answer) {
        String advice = switch (answer.status()) {
            case 401, 403 -> "the caller is not authenticated: use --header 'Authorization: …'";
            case 404, 405 -> "the route does not exist: check the URL and --route";
            case 415 -> "the API does not accept the content type: use --header 'Content-Type: …'";
            default -> call.body().isEmpty() ? "--body is missing" : "the API does not accept this --body";
        };
        return answer.status() / 100 == 4 ? ". Possible cause: " + advice : "";
    }

    private static CaseVerdict twoKeys(VerifyCaseContext context) {
        var tally = context.effectCounter();
        var one = context.call();
        var other = one.withKeys(context.call().keys().getFirst());
        var first = context.sendFirst(one);
        var second = context.send(other);
        context.observations().recordWorkTime(first.took());
        String expected = "two effects, with a separate response each";
        if (!context.isFirstAnswer(second)) {
            if (context.subject().bodies().intent().hasPlaceholders() && second.status() < 500) {
                return new CaseVerdict.Advice(
                        "the same body under another key was rejected: correct if the values of {{…}} must be unique, wrong "
                                + "otherwise");
            }
            throw new ExpectationFailedException(
                    expected,
                    "the response to the second key was " + context.formatter().answer(second));
        }
        if (second.isMarkedReplay()) {
            throw new ExpectationFailedException(expected, "the response to the second key was a replay of the first");
        }
        if (!tally.identity(first).equals(tally.identity(second))) {
            context.observations().answersTellApart();
        }
        tally.expect(2, List.of(first, second), expected);
        return tally.canCount()
                ? CaseVerdict.passed()
                : new CaseVerdict.Advice(
                        "two effects have the same response, so responses do not show how often a request took effect: use "
                                + "--effects 'GET /…#/count' or --id /pointer");
    }
}
