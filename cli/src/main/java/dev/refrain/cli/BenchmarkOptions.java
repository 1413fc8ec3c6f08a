package dev.refrain.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Arguments of {@code refrain bench}.
 *
 * @param quick skips the long measurements
 * @param json the file to write the results to, as JSON
 * @param only the names of the measurements to run; empty for all
 * @param url a PostgreSQL server to use instead of the bundled one
 * @param store the URL of a store that is compared with its bare driver, instead of all else; {@link #ALL_STORES} for each that can be started
 * @param check treats a missed target as a failure
 */
public record BenchmarkOptions(
        boolean quick,
        Optional<Path> json,
        List<String> only,
        Optional<String> url,
        Optional<String> store,
        boolean check) {

    /** Instead of a URL: each store whose server comes with the benchmarks. */
    public static final String ALL_STORES = "all";
}
