package dev.refrain.trials.kills;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Child process, as its parent sees it. */
final class ShopProcess {

    /** Exit code after SIGKILL: 128 and the number of the signal. */
    private static final int KILLED = 128 + 9;

    private static final int TERMINATED = 128 + 15;
    private static final int CLOSE_WITHIN_SECONDS = 600;

    private final String name;
    private final Process process;
    private final Path errors;
    private final long begun = System.nanoTime();
    private volatile long readyAfter = -1;
    private long frozenUntil = System.nanoTime();

    private ShopProcess(String name, Process process, Path errors) {
        this.name = name;
        this.process = process;
        this.errors = errors;
    }

    static ShopProcess start(String name, List<String> command, Path folder) throws IOException {
        Path errors = folder.resolve(name + ".err");
        var process = new ProcessBuilder(command)
                .redirectError(errors.toFile())
                .directory(folder.toFile())
                .start();
        var till = new ShopProcess(name, process, errors);
        Thread.ofVirtual().start(till::listen);
        return till;
    }

    private void listen() {
        try (var out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String line;
            while ((line = out.readLine()) != null) {
                if (line.equals(ShopProcessMain.READY)) {
                    readyAfter = System.nanoTime() - begun;
                }
            }
        } catch (IOException e) {
            // It was killed while we listened.
        }
    }

    String name() {
        return name;
    }

    boolean isReady() {
        return readyAfter >= 0;
    }

    /** Returns how long its start took, or has taken so far. */
    Duration start() {
        return Duration.ofNanos(isReady() ? readyAfter : System.nanoTime() - begun);
    }

    boolean isFrozen() {
        return System.nanoTime() - frozenUntil < 0;
    }

    /** Fails if the process ended by itself or by anything but us. */
    void requireAlive() {
        if (!process.isAlive()) {
            throw new AssertionError(name + " ended by itself with exit code " + process.exitValue() + ":\n" + said());
        }
    }

    /** Kills it by SIGKILL, without flush or close, and returns when it is dead. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new AssertionError(name + " outlived SIGKILL");
        }
        if (process.exitValue() != KILLED) {
            throw new AssertionError(name + " did not die of SIGKILL (" + KILLED + ") but had ended with exit code "
                    + process.exitValue() + ":\n" + said());
        }
    }

    /** Ends it by SIGTERM, as a deploy does: it finishes its work, takes nothing new, and ends. */
    void close() throws IOException, InterruptedException {
        signal("TERM");
        if (!process.waitFor(CLOSE_WITHIN_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError(name + " did not close within " + CLOSE_WITHIN_SECONDS + " s\n" + stacks());
        }
        if (process.exitValue() != TERMINATED) {
            throw new AssertionError(
                    name + " did not close but ended with exit code " + process.exitValue() + ":\n" + said());
        }
    }

    /** Ends it in whatever state it is. */
    void end() {
        process.destroyForcibly();
    }

    /**
     * Freezes it for this long, as a long pause of the collector or of the machine would. Another process resumes it, so that it does not
     * stay frozen if we are killed.
     */
    void freeze(Duration length) throws IOException {
        String pid = Long.toString(process.pid());
        String seconds = Double.toString(length.toMillis() / 1_000.0);
        new ProcessBuilder("sh", "-c", "kill -STOP " + pid + "; sleep " + seconds + "; kill -CONT " + pid)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        frozenUntil = System.nanoTime() + length.toNanos();
    }

    private void signal(String signal) throws IOException, InterruptedException {
        new ProcessBuilder("sh", "-c", "kill -" + signal + " " + process.pid())
                .start()
                .waitFor();
    }

    void awaitGoodEnd(Duration limit) throws InterruptedException {
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            String stacks = stacks();
            process.destroyForcibly();
            throw new AssertionError(name + " did not end within " + limit + ":\n" + said() + stacks);
        }
        if (process.exitValue() != 0) {
            throw new AssertionError(name + " ended with exit code " + process.exitValue() + ":\n" + said());
        }
    }

    private String stacks() {
        try {
            var jstack = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jstack")
                                    .toString(),
                            Long.toString(process.pid()))
                    .redirectErrorStream(true)
                    .start();
            return new String(jstack.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "(no stacks: " + e + ")";
        }
    }

    private String said() {
        try {
            return Files.readString(errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
