package dev.refrain.verify;

/** That an answer is the first one again: status and bytes. */
final class Sameness {

    private Sameness() {}

    static void expect(Lab lab, Answer first, Answer again, String expected) {
        if (again.status() != first.status()) {
            throw new UnmetException(
                    expected,
                    "first " + first.status() + ", then " + lab.formatter().answer(again));
        }
        if (!again.hasBytesOf(first)) {
            throw new UnmetException(
                    expected,
                    "another body: " + first.differenceTo(again) + "; first "
                            + lab.formatter().answer(first) + ", then "
                            + lab.formatter().answer(again));
        }
    }
}
