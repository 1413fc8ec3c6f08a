package dev.refrain.verify;

import java.util.List;
import java.util.stream.Stream;

/** All conformance cases, in the order they run. */
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

    /** Descriptions of all cases. */
    public static List<CaseDescription> descriptions() {
        return CASES.stream().map(VerifyCase::description).toList();
    }
}
