package dev.refrain.verify;

import java.util.List;
import java.util.stream.Stream;

/** All cases, in the order in which they run. */
public final class Suite {

    static final List<Case> CASES = Stream.of(
                    GroundCases.ALL,
                    ReplayCases.ALL,
                    SyntaxCases.ALL,
                    MismatchCases.ALL,
                    InFlightCases.ALL,
                    KeepingCases.ALL,
                    ErrorCases.ALL)
            .flatMap(List::stream)
            .toList();

    private Suite() {}

    /** The cases in words. */
    public static List<Words> descriptions() {
        return CASES.stream().map(Case::description).toList();
    }
}
