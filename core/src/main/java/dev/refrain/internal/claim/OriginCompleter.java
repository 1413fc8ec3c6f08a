package dev.refrain.internal.claim;

import dev.refrain.observe.TraceIdSource;
import dev.refrain.store.ClaimOrigin;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Completes the origins of claims by what this instance knows: its name, the current trace, and the steps for whose derived keys the operation
 * has asked so far, so that a record can name the keys under which its operation may have called other systems. Bounded; thread-safe.
 */
public final class OriginCompleter {

    private static final int MAX_OPERATIONS = 1_000;

    private final String instance;
    private final TraceIdSource traceIds;
    private final Map<String, List<String>> stepsByOperation = new ConcurrentHashMap<>();

    /** @param instance the name of this process in the attempts of records */
    public OriginCompleter(String instance, TraceIdSource traceIds) {
        this.instance = instance;
        this.traceIds = traceIds;
    }

    /** Notes that an operation asked for the derived key of a step; returns whether that is new. Costs one lookup for a known step. */
    boolean learn(String operation, String step) {
        var known = stepsByOperation.get(operation);
        boolean full = known == null
                ? stepsByOperation.size() >= MAX_OPERATIONS
                : known.contains(step) || known.size() > ClaimOrigin.MAX_STEPS;
        if (!full) {
            stepsByOperation.merge(
                    operation,
                    List.of(step),
                    (before, added) -> before.contains(step)
                            ? before
                            : Stream.concat(before.stream(), added.stream()).toList());
        }
        return !full;
    }

    ClaimOrigin complete(ClaimOrigin origin) {
        origin.steps().forEach(step -> learn(origin.operation(), step));
        return new ClaimOrigin(
                origin.operation(),
                origin.caller(),
                origin.traceId().or(traceIds::current),
                instance,
                stepsByOperation.getOrDefault(origin.operation(), origin.steps()));
    }
}
