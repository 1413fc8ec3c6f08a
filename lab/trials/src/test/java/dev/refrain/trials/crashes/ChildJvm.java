package dev.refrain.trials.crashes;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM of its own, on this one's class path. It says one line when it is ready, and ends when nobody is left to write to it. */
final class ChildJvm {

    /** What the end by SIGKILL looks like: 128 and the number of the signal. */
    private static final int KILLED = 128 + 9;

    private static final int KILLED_WITHIN_SECONDS = 60;

    private final String name;
    private final Process process;

    private ChildJvm(String name, Process process) {
        this.name = name;
        this.process = process;
    }

    static ChildJvm start(Class<?> main, List<String> arguments) throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        var process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return new ChildJvm(main.getSimpleName(), process);
    }

    /** Waits until it is ready. */
    String said() throws IOException {
        String line =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)).readLine();
        if (line == null) {
            throw new AssertionError(name + " ended before it was ready: see what it said on stderr.");
        }
        return line;
    }

    /** In the child: returns when its parent is gone. */
    static void awaitEndOfParent() throws IOException {
        while (System.in.read() >= 0) {}
    }

    /** SIGKILL: nothing is flushed, closed or said goodbye to. Returns when it is dead. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(KILLED_WITHIN_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError(name + " outlived SIGKILL");
        }
        if (process.exitValue() != KILLED) {
            throw new AssertionError(name + " did not die of SIGKILL but had ended with " + process.exitValue());
        }
    }

    /** However it ended or not. */
    void end() {
        process.destroyForcibly();
    }
}
