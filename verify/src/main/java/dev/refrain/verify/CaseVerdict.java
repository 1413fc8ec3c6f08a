package dev.refrain.verify;
/** What came of a case. */
public sealed interface CaseVerdict {

    /** It holds. */
    record Passed() implements CaseVerdict {}

    /** It holds as far as can be seen, and something is worth knowing. */
    record Advice(String text) implements CaseVerdict {}

    /**
     * It does not hold.
     *
     * @param means what that does to people and their money
     */
    record Failed(String expected, String found, String means) implements CaseVerdict {}

    /** It was not looked at. */
    record Skipped(String reason) implements CaseVerdict {

        /** Without a first answer nothing else can be judged. */
        static final Skipped NOT_TRIED = new Skipped("a first request is not answered as it should be");
    }

    static CaseVerdict passed() {
        return new Passed();
    }

    /** One word, as reports use it. */
    default String label() {
        return switch (this) {
            case Passed passed -> "passed";
            case Advice advice -> "advice";
            case Failed failed -> "FAILED";
            case Skipped skipped -> "skipped";
        };
    }
}
