package dev.refrain.trials.crashes;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Child JVM on this one's class path. It prints one line when it is ready, and ends with its parent. */
final class ChildJvm {

    /** Exit code after SIGKILL: 128 and the number of the signal. */
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

    /** Blocks the child until its parent is gone. */
    static void awaitEndOfParent() throws IOException {
        while (System.in.read() >= 0) {}
    }

    /** Kills it by SIGKILL, without flush or close, and returns when it is dead. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(KILLED_WITHIN_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError(name + " outlived SIGKILL");
        }
        if (process.exitValue() != KILLED) {
            throw new AssertionError(name + " did not die of SIGKILL but had ended with " + process.exitValue());
        }
    }

    /** Ends it in whatever state it is. */
    void end() {
        process.destroyForcibly();
    }
}
