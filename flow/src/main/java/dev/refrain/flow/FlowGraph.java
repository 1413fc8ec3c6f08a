package dev.refrain.flow;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Points of a flow and the ways between them; checked to be known, reachable and free of cycles. */
final class FlowGraph<R, T, C> {

    private final String flow;
    private final Map<String, PhaseDefinition<R, T, C>> steps = new LinkedHashMap<>();
    private final String first;

    FlowGraph(String flow, List<PhaseDefinition<R, T, C>> declared) {
        this.flow = flow;
        if (declared.isEmpty()) {
            throw new IllegalArgumentException("Cannot build flow " + flow + ": it has no phase.");
        }
        first = declared.getFirst().point();
        for (var step : declared) {
            if (steps.putIfAbsent(step.point(), step) != null) {
                throw refused(step.point(), "is declared twice");
            }
        }
        requireKnown();
        requireReachable();
        requireAcyclic();
    }

    String first() {
        return first;
    }

    PhaseDefinition<R, T, C> at(String point) {
        var step = steps.get(point);
        if (step == null) {
            throw refused(point, "is not declared");
        }
        return step;
    }

    boolean contains(String point) {
        return steps.containsKey(point);
    }

    private void requireKnown() {
        for (var step : steps.values()) {
            for (String point : step.successors()) {
                if (!steps.containsKey(point)) {
                    throw refused(point, "is not declared, but " + step.point() + " leads to it");
                }
            }
        }
    }

    private void requireReachable() {
        var reached = new HashSet<String>();
        var ahead = new ArrayDeque<>(List.of(first));
        while (!ahead.isEmpty()) {
            String point = ahead.remove();
            if (reached.add(point)) {
                ahead.addAll(at(point).successors());
            }
        }
        for (String point : steps.keySet()) {
            if (!reached.contains(point)) {
                throw refused(point, "cannot be reached from " + first);
            }
        }
    }

    private void requireAcyclic() {
        var done = new HashSet<String>();
        for (String point : steps.keySet()) {
            walk(point, new HashSet<>(), done);
        }
    }

    private void walk(String point, Set<String> above, Set<String> done) {
        if (!above.add(point)) {
            throw refused(point, "leads back to itself: a committed phase never runs again");
        }
        if (!done.contains(point)) {
            at(point).successors().forEach(next -> walk(next, above, done));
            done.add(point);
        }
        above.remove(point);
    }

    private IllegalArgumentException refused(String point, String why) {
        return new IllegalArgumentException("Point " + point + " of flow " + flow + " " + why + ".");
    }
}
