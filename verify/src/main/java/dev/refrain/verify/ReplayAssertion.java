package dev.refrain.verify;
/** Asserts that a response repeats the first one: same status, same bytes. */
final class ReplayAssertion {

    private ReplayAssertion() {}

    static void expect(VerifyCaseContext context, VerifyResponse first, VerifyResponse again, String expected) {
        if (again.status() != first.status()) {
            throw ExpectationFailedException.wrongReplay(
                    expected,
                    "first " + first.status() + ", then " + context.formatter().answer(again));
        }
        if (!again.hasBytesOf(first)) {
            throw ExpectationFailedException.wrongReplay(
                    expected,
                    "a different body: " + first.differenceTo(again) + "; first "
                            + context.formatter().answer(first) + ", then "
                            + context.formatter().answer(again));
        }
    }
}
