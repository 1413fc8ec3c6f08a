package dev.refrain.verify;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * One thing that is checked.
 *
 * @param skipReason why it cannot be checked on this subject, if so
 * @param maxRequests how many requests it sends to the route, at the most
 */
record VerifyCase(
        CaseDescription description,
        Function<VerifySettings, Optional<String>> skipReason,
        ToIntFunction<VerifySettings> maxRequests,
        Check check) {

    /** How it is checked. */
    @FunctionalInterface
    interface Check {
        CaseVerdict on(VerifyCaseContext lab);
    }

    static VerifyCase of(CaseDescription words, int cost, Check check) {
        return new VerifyCase(words, subject -> Optional.empty(), subject -> cost, check);
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
