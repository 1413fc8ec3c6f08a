package dev.refrain.spec;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Exit code and output of TLC. */
record TlcResult(int exit, List<String> lines) {

    static final int HOLDS = 0;
    static final int UNSAFE = 12;

    /** Exit code of a violated property; properties of steps count as such. */
    static final int PROPERTY_VIOLATED = 13;

    /**
     * Line of TLC's coverage, such as {@code <Ask line 140, col 1 to line 140, col 6 of module Refrain>: 2889:20309}, whose last number is
     * how often the step was taken.
     */
    private static final Pattern STEP = Pattern.compile("<(\\w+) line .* of module \\w+>: \\d+:(\\d+)");

    /** Returns the steps that were taken at least once. */
    Set<String> steps() {
        return lines.stream()
                .map(STEP::matcher)
                .filter(step -> step.matches()
                        && !step.group(1).equals("Init")
                        && !step.group(2).equals("0"))
                .map(step -> step.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the number of states, as TLC prints it. */
    String size() {
        return lines.stream()
                .filter(line -> line.matches("\\d+ states generated, .*") || line.startsWith("Finished in "))
                .collect(Collectors.joining(" "));
    }

    /** Returns the output without the coverage. */
    String told() {
        return lines.stream().filter(line -> !line.matches(" +\\|*line .*")).collect(Collectors.joining("\n"));
    }
}
