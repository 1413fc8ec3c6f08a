package dev.refrain.verify;
/** That an answer is the first one again: status and bytes. */
final class ReplayAssertion {

    private ReplayAssertion() {}

    static void expect(VerifyCaseContext lab, VerifyResponse first, VerifyResponse again, String expected) {
        if (again.status() != first.status()) {
            throw new ExpectationFailedException(
                    expected,
                    "first " + first.status() + ", then " + lab.formatter().answer(again));
        }
        if (!again.hasBytesOf(first)) {
            throw new ExpectationFailedException(
                    expected,
                    "another body: " + first.differenceTo(again) + "; first "
                            + lab.formatter().answer(first) + ", then "
                            + lab.formatter().answer(again));
        }
    }
}
