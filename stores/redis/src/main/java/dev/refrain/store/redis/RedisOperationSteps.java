package dev.refrain.store.redis;

import dev.refrain.store.ClaimOrigin;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Steps of operations, which belong to no record. What this handle has told costs a claim nothing more. Thread-safe. */
final class RedisOperationSteps {

    /** An application has fewer operations; one that makes up their names must not fill the memory. */
    private static final int REMEMBERED = 10_000;

    private final Map<String, Set<String>> told = new ConcurrentHashMap<>();
    private final RedisKeys keys;

    RedisOperationSteps(RedisKeys keys) {
        this.keys = keys;
    }

    /** Returns the call that stores the steps of this origin; empty if there is nothing new. */
    Optional<ScriptCall> untold(ClaimOrigin origin) {
        if (origin.steps().isEmpty()
                || told.getOrDefault(origin.operation(), Set.of()).containsAll(origin.steps())) {
            return Optional.empty();
        }
        var call = ScriptCall.of(RedisScript.STEPS, List.of(keys.steps(origin.operation())))
                .number(ClaimOrigin.MAX_STEPS);
        origin.steps().forEach(call::text);
        return Optional.of(call.build());
    }

    void told(ClaimOrigin origin) {
        if (told.size() < REMEMBERED) {
            var known = told.computeIfAbsent(origin.operation(), name -> ConcurrentHashMap.newKeySet());
            if (known.size() <= ClaimOrigin.MAX_STEPS) {
                known.addAll(origin.steps());
            }
        }
    }

    ScriptCall read(String operation) {
        return ScriptCall.of(RedisScript.MEMBERS, List.of(keys.steps(operation)))
                .build();
    }

    List<String> listed(ScriptReply reply) {
        return reply.parts().stream()
                .map(step -> new String(step, StandardCharsets.UTF_8))
                .toList();
    }
}
