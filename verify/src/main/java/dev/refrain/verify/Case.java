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
record Case(Words description, Function<Subject, Optional<String>> skipReason, ToIntFunction<Subject> maxRequests, Check check) {

    /** How it is checked. */
    @FunctionalInterface
    interface Check {
        Verdict on(Lab lab);
    }

    static Case of(Words words, int cost, Check check) {
        return new Case(words, subject -> Optional.empty(), subject -> cost, check);
    }

    Case skippedWhen(Function<Subject, Optional<String>> reason) {
        return new Case(description, reason, maxRequests, check);
    }

    Case withMaxRequests(ToIntFunction<Subject> other) {
        return new Case(description, skipReason, other, check);
    }

    String name() {
        return description.name();
    }
}
