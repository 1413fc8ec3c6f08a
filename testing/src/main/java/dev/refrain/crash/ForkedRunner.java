package dev.refrain.crash;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Kills with the JVM: a child comes to the boundary, says so, and lets nothing pass from there on; then it gets a SIGKILL. What recovers is
 * this JVM, which is another process.
 */
final class ForkedRunner implements Runner<ForkedTrial> {

    /** Children live for a second: what takes its time to get fast is left out. */
    private static final List<String> QUICK = List.of(
            "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData", "--enable-native-access=ALL-UNNAMED");

    private final Class<? extends Program> program;

    ForkedRunner(Class<? extends Program> program) {
        this.program = program;
    }

    @Override
    public Application start(ForkedTrial trial, Life life) throws Exception {
        return Fork.made(program).start(life, trial.arguments());
    }

    @Override
    public boolean killAt(Boundary boundary, ForkedTrial trial, Duration within) throws Exception {
        var process = new ProcessBuilder(command(boundary, trial))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            boolean reached =
                    Limited.asked("child", () -> reached(process)).get(within.toNanos(), TimeUnit.NANOSECONDS);
            process.destroyForcibly();
            process.waitFor();
            return reached;
        } catch (TimeoutException late) {
            throw new IllegalStateException(
                    "A child came neither to its boundary nor to its end within " + within + ".", late);
        } finally {
            process.destroyForcibly();
        }
    }

    private List<String> command(Boundary boundary, ForkedTrial trial) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(QUICK);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Fork.class.getName()));
        command.addAll(List.of(program.getName(), boundary.name(), Integer.toString(boundary.occurrence())));
        command.addAll(trial.arguments());
        return command;
    }

    /** A child that ends without a word has failed to start, or died in a way that was not asked for. */
    private static boolean reached(Process process) throws IOException {
        try (var out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (line.equals(Fork.AT_THE_BOUNDARY)) {
                    return true;
                }
                if (line.equals(Fork.ENDED)) {
                    return false;
                }
            }
        }
        throw new IllegalStateException("A child ended by itself: see what it said on stderr.");
    }

    @Override
    public void close() {}
}
