package dev.refrain.store.contract;

import dev.refrain.store.Store;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * One way to be wrong, and the tests that must notice.
 *
 * @param in puts the flaw into a sound store
 */
record StoreFlaw(String name, UnaryOperator<Store> in, List<String> caughtBy) {

    static StoreFlaw of(String name, UnaryOperator<Store> in, String... caughtBy) {
        return new StoreFlaw(name, in, List.of(caughtBy));
    }

    static List<StoreFlaw> all() {
        return Stream.of(
                        ClaimFlaws.ALL,
                        WriteFlaws.ALL,
                        RetentionFlaws.ALL,
                        WorkerFlaws.ALL,
                        AbilityFlaws.ALL,
                        ExplanationFlaws.ALL,
                        KeptRequestFlaws.ALL)
                .flatMap(List::stream)
                .toList();
    }

    static StoreFlaw named(String name) {
        return all().stream()
                .filter(flaw -> flaw.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public String toString() {
        return name;
    }
}
