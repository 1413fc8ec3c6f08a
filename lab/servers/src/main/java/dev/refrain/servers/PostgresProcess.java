package dev.refrain.servers;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Run of the server's programs on one data directory, from start to stop or kill. */
final class PostgresProcess {

    /**
     * Shell script that becomes the server and leaves a watcher beside it. The watcher forwards signals from us, and ends the server at the
     * end of its input: so the server ends with us, even after SIGKILL.
     */
    private static final String WITH_WATCHER = """
            data=$1; shift
            exec 3<&0
            (
              tell() { kill -"$1" "$(head -n 1 "$data/postmaster.pid" || echo $$)"; }
              while read -r signal; do tell "$signal"; done
              tell QUIT
              exit 0
            ) <&3 3<&- >/dev/null 2>&1 &
            exec "$@" </dev/null 3<&-
            """;

    private static final Duration START_WITHIN = Duration.ofSeconds(60);
    private static final Duration STOP_WITHIN = Duration.ofSeconds(30);

    private final Process process;
    private final Path dataDirectory;

    private PostgresProcess(Process process, Path dataDirectory) {
        this.process = process;
        this.dataDirectory = dataDirectory;
    }

    /** Runs a program to its end. */
    static void run(List<String> command, Path log) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            if (process.waitFor() != 0) {
                throw new TestServerException(
                        command + " failed with exit code " + process.exitValue() + ":\n" + tailOf(log));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Could not run " + command, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TestServerException("Interrupted while running " + command, e);
        }
    }

    /** Starts the server and returns when it accepts connections. */
    static PostgresProcess start(
            PostgresBinaries binaries,
            UnprivilegedCommand unprivileged,
            Path dataDirectory,
            Map<String, String> settings,
            Path log) {
        var postgres = new ArrayList<>(List.of(binaries.program("postgres"), "-D", dataDirectory.toString()));
        settings.forEach((name, value) -> postgres.addAll(List.of("-c", name + "=" + value)));
        var command = new ArrayList<>(List.of("sh", "-c", WITH_WATCHER, "sh", dataDirectory.toString()));
        command.addAll(unprivileged.command(postgres));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            var started = new PostgresProcess(process, dataDirectory);
            started.awaitReady(log);
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException("Could not start PostgreSQL", e);
        }
    }

    private void awaitReady(Path log) {
        try {
            ConditionWait.until(
                    () -> !process.isAlive()
                            || Postmaster.recordedIn(dataDirectory)
                                    .filter(Postmaster::isReady)
                                    .isPresent(),
                    START_WITHIN,
                    () -> "PostgreSQL did not become ready within " + START_WITHIN.toSeconds() + " s:\n" + tailOf(log));
        } catch (TestServerException e) {
            kill();
            throw e;
        }
        if (!process.isAlive()) {
            throw new TestServerException("PostgreSQL ended at once:\n" + tailOf(log));
        }
    }

    /** Ends sessions, writes a checkpoint, and stops. */
    void stop() {
        try (OutputStream watcher = process.getOutputStream()) {
            watcher.write("INT\n".getBytes(StandardCharsets.US_ASCII));
            watcher.flush();
            ConditionWait.until(
                    () -> !process.isAlive(),
                    STOP_WITHIN,
                    () -> "PostgreSQL did not stop within " + STOP_WITHIN.toSeconds() + " s.");
        } catch (IOException | TestServerException e) {
            kill();
        }
    }

    void kill() {
        var started = process.descendants().toList();
        Postmaster.recordedIn(dataDirectory).ifPresent(Postmaster::kill);
        process.destroyForcibly();
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // The watcher was killed too: nobody is left to be told.
        }
        awaitOrphans(started);
    }

    /**
     * Waits for processes that the first one forked before or while it was being killed. They end by themselves, and until then keep the next
     * server from starting, or, as the watcher does, tell whichever server is recorded in the data directory to end. A process of PostgreSQL
     * works in its data directory.
     */
    private void awaitOrphans(List<ProcessHandle> started) {
        ConditionWait.until(
                () -> started.stream().noneMatch(Postmaster::runs)
                        && ProcessHandle.allProcesses().noneMatch(this::worksHere),
                STOP_WITHIN,
                () -> "Processes of PostgreSQL that was killed are still in " + dataDirectory);
    }

    private boolean worksHere(ProcessHandle handle) {
        try {
            return Files.readSymbolicLink(Path.of("/proc", Long.toString(handle.pid()), "cwd"))
                    .equals(dataDirectory.toRealPath());
        } catch (IOException e) {
            // No /proc on this system, or it ended just now.
            return false;
        }
    }

    static String tailOf(Path log) {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
        } catch (IOException e) {
            return "(its log " + log + " can't be read: " + e + ")";
        }
    }
}
