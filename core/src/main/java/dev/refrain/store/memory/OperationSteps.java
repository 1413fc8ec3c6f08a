package dev.refrain.store.memory;

import dev.refrain.store.ClaimOrigin;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Steps under whose derived keys each operation is known to call other systems. Guarded by the store's lock. */
final class OperationSteps {

    private final Map<String, Set<String>> byOperation = new HashMap<>();

    void learn(ClaimOrigin origin) {
        if (!origin.steps().isEmpty()) {
            var known = byOperation.computeIfAbsent(origin.operation(), name -> new LinkedHashSet<>());
            origin.steps().stream()
                    .filter(step -> known.size() <= ClaimOrigin.MAX_STEPS)
                    .forEach(known::add);
        }
    }

    List<String> of(String operation) {
        return ClaimOrigin.listedSteps(byOperation.getOrDefault(operation, Set.of()));
    }
}
