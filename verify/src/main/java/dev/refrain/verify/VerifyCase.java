package dev.refrain.verify;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * One conformance case.
 *
 * @param skipReason returns why the case cannot run with the given settings, if so
 * @param maxRequests returns the maximum number of requests that the case sends to the route
 */
record VerifyCase(
        CaseDescription description,
        Function<VerifySettings, Optional<String>> skipReason,
        ToIntFunction<VerifySettings> maxRequests,
        Check check) {

    /** Test code of a case. */
    @FunctionalInterface
    interface Check {
        CaseVerdict on(VerifyCaseContext context);
    }

    static VerifyCase of(CaseDescription description, int requests, Check check) {
        return new VerifyCase(description, subject -> Optional.empty(), subject -> requests, check);
    }

    VerifyCase skippedWhen(Function<VerifySettings, Optional<String>> reason) {
        return new VerifyCase(description, reason, maxRequests, check);
    }

    VerifyCase withMaxRequests(ToIntFunction<VerifySettings> other) {
        return new VerifyCase(description, skipReason, other, check);
    }

    String name() {
        return description.name();
    }
}
