package dev.refrain.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Program of the JDK that runs the tests.
 *
 * @param output file for what it writes
 */
record JdkTool(String name, Path output) {

    /** Runs it to its end, which must be a success, and returns what it wrote. */
    List<String> run(String... arguments) throws Exception {
        int exitCode = exitCode(List.of(arguments));
        assertThat(exitCode).as(Files.readString(output)).isZero();
        return Files.readAllLines(output);
    }

    /** Runs it to its end, which may be a failure. */
    int exitCode(List<String> arguments) throws Exception {
        var command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", name).toString()));
        command.addAll(arguments);
        var process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(5, TimeUnit.MINUTES))
                    .as("%s ended", name)
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        return process.exitValue();
    }
}
