package dev.refrain.spec;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** How TLC ended, and what it printed. */
record TlcResult(int exit, List<String> lines) {

    static final int HOLDS = 0;
    static final int UNSAFE = 12;

    /** Also of steps: a property, as TLC sees it. */
    static final int PROPERTY_VIOLATED = 13;

    /** {@code <Ask line 140, col 1 to line 140, col 6 of module Refrain>: 2889:20309}, the last number being how often. */
    private static final Pattern STEP = Pattern.compile("<(\\w+) line .* of module \\w+>: \\d+:(\\d+)");

    /** The steps that were taken at least once. */
    Set<String> steps() {
        return lines.stream()
                .map(STEP::matcher)
                .filter(step -> step.matches()
                        && !step.group(1).equals("Init")
                        && !step.group(2).equals("0"))
                .map(step -> step.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** How large the model was, as TLC says it. */
    String size() {
        return lines.stream()
                .filter(line -> line.matches("\\d+ states generated, .*") || line.startsWith("Finished in "))
                .collect(Collectors.joining(" "));
    }

    /** What it printed, without the sources of every count of its coverage. */
    String told() {
        return lines.stream().filter(line -> !line.matches(" +\\|*line .*")).collect(Collectors.joining("\n"));
    }
}
