package dev.refrain.verify;
/** Result of a case. */
public sealed interface CaseVerdict {

    /** The requirement is met. */
    record Passed() implements CaseVerdict {}

    /** The requirement is met as far as can be observed; the text says what to improve. */
    record Advice(String text) implements CaseVerdict {}

    /**
     * The requirement is not met.
     *
     * @param means the effect on users and their money
     */
    record Failed(String expected, String found, String means) implements CaseVerdict {}

    /** The case did not run. */
    record Skipped(String reason) implements CaseVerdict {

        /** Marks the cases that cannot run because the first request failed. */
        static final Skipped NOT_TRIED = new Skipped("the first request did not succeed");
    }

    static CaseVerdict passed() {
        return new Passed();
    }

    /** Returns the word that reports use. */
    default String label() {
        return switch (this) {
            case Passed passed -> "passed";
            case Advice advice -> "advice";
            case Failed failed -> "FAILED";
            case Skipped skipped -> "skipped";
        };
    }
}
