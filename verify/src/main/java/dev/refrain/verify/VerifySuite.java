package dev.refrain.verify;

import java.util.List;
import java.util.stream.Stream;

/** All cases, in the order in which they run. */
public final class VerifySuite {

    static final List<VerifyCase> CASES = Stream.of(
                    VerifyBaselineCases.ALL,
                    VerifyReplayCases.ALL,
                    VerifyKeySyntaxCases.ALL,
                    VerifyMismatchCases.ALL,
                    VerifyInFlightCases.ALL,
                    VerifyRetentionCases.ALL,
                    VerifyErrorCases.ALL)
            .flatMap(List::stream)
            .toList();

    private VerifySuite() {}

    /** The cases in words. */
    public static List<CaseDescription> descriptions() {
        return CASES.stream().map(VerifyCase::description).toList();
    }
}
