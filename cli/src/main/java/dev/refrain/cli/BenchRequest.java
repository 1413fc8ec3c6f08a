package dev.refrain.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What was asked of the bench.
 *
 * @param quick leave the long measurements out
 * @param json where to write the results as JSON
 * @param only the names to measure; empty for all
 */
record BenchRequest(boolean quick, Optional<Path> json, List<String> only) {}
