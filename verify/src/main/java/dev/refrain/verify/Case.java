package dev.refrain.verify;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * One thing that is checked.
 *
 * @param obstacle why it cannot be checked on this subject, if so
 * @param cost how many requests it sends to the route, at the most
 */
record Case(Words words, Function<Subject, Optional<String>> obstacle, ToIntFunction<Subject> cost, Check check) {

    /** How it is checked. */
    @FunctionalInterface
    interface Check {
        Verdict on(Lab lab);
    }

    static Case of(Words words, int cost, Check check) {
        return new Case(words, subject -> Optional.empty(), subject -> cost, check);
    }

    Case unless(Function<Subject, Optional<String>> reason) {
        return new Case(words, reason, cost, check);
    }

    Case costing(ToIntFunction<Subject> other) {
        return new Case(words, obstacle, other, check);
    }

    String name() {
        return words.name();
    }
}
