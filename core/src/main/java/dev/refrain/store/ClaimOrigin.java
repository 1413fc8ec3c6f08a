package dev.refrain.store;

import dev.refrain.api.TraceId;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Origin of a claim, for people who read it later. A store keeps it beside the record and bases no decision on it; texts that are
 * too long are cut and characters that cannot be stored are replaced, so that an origin never fails a claim.
 *
 * @param operation such as {@code POST /payments/{id}}, the name of an operation or flow, or the topic of a message; empty if
 *     there is none
 * @param caller who sent the request, where that is known and differs from the scope
 * @param traceId trace of the request
 * @param instance the process that claims
 * @param steps steps under whose derived keys the operation is known to call other systems
 */
public record ClaimOrigin(
        String operation, Optional<String> caller, Optional<TraceId> traceId, String instance, List<String> steps) {

    /** Unknown origin. */
    public static final ClaimOrigin UNKNOWN = of("");

    /** Longest name of an operation, a caller, an instance or a step. */
    public static final int MAX_LENGTH = 200;

    /**
     * Most steps of one operation that are listed. An operation with more has data in the names of its steps, such as an order's number;
     * most of them would be wrong for any one record, so none is listed.
     */
    public static final int MAX_STEPS = 20;

    private static final char FIRST_PRINTABLE = ' ';

    public ClaimOrigin {
        operation = storable(operation);
        caller = caller.map(ClaimOrigin::storable);
        instance = storable(instance);
        steps = steps.isEmpty()
                ? List.of()
                : steps.stream().limit(MAX_STEPS + 1).map(ClaimOrigin::storable).toList();
    }

    /** Returns the origin of a claim of which only the operation is known. */
    public static ClaimOrigin of(String operation) {
        return new ClaimOrigin(operation, Optional.empty(), Optional.empty(), "", List.of());
    }

    public ClaimOrigin withCaller(String name) {
        return new ClaimOrigin(operation, Optional.of(name), traceId, instance, steps);
    }

    public ClaimOrigin withTraceId(TraceId id) {
        return new ClaimOrigin(operation, caller, Optional.of(id), instance, steps);
    }

    public ClaimOrigin withSteps(List<String> known) {
        return new ClaimOrigin(operation, caller, traceId, instance, known);
    }

    /** Returns the steps to list for a record, given those that are known of its operation. */
    public static List<String> listedSteps(Collection<String> known) {
        return known.size() > MAX_STEPS ? List.of() : known.stream().sorted().toList();
    }

    private static String storable(String text) {
        String cut = text.length() > MAX_LENGTH ? text.substring(0, MAX_LENGTH - 1) + "…" : text;
        for (int i = 0; i < cut.length(); i++) {
            char c = cut.charAt(i);
            if (c < FIRST_PRINTABLE || Character.isSurrogate(c)) {
                return cut.replaceAll("[\\p{Cntrl}\\p{Cs}]", "?");
            }
        }
        return cut;
    }
}
