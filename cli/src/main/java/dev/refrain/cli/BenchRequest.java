package dev.refrain.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The options of {@code refrain bench}.
 *
 * @param quick leave the long measurements out
 * @param json where to write the results as JSON
 * @param only the names to measure; empty for all
 * @param url a PostgreSQL of the user's own
 * @param check fail if a bar is missed
 */
public record BenchRequest(
        boolean quick, Optional<Path> json, List<String> only, Optional<String> url, boolean check) {}
