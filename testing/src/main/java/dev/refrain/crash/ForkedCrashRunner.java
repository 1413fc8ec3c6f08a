package dev.refrain.crash;

import dev.refrain.api.DurationText;
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
 * Kills a child JVM: it reaches the crash point, reports it, and stops there; then it gets a SIGKILL. The recovery runs in this JVM, which is
 * another process.
 */
final class ForkedCrashRunner implements CrashRunner<ForkedProcessTrial> {

    /** JVM options for children, which live for about a second. */
    private static final List<String> QUICK = List.of(
            "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData", "--enable-native-access=ALL-UNNAMED");

    private final Class<? extends ForkedApplicationFactory> program;

    ForkedCrashRunner(Class<? extends ForkedApplicationFactory> program) {
        this.program = program;
    }

    @Override
    public CrashableApplication start(ForkedProcessTrial trial, CrashInjector life) throws Exception {
        return ForkedProcessMain.made(program).start(life, trial.arguments());
    }

    @Override
    public boolean killAt(CrashPoint boundary, ForkedProcessTrial trial, Duration within) throws Exception {
        var process = new ProcessBuilder(command(boundary, trial))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            boolean reached =
                    TimeLimitedTask.asked("child", () -> reached(process)).get(within.toNanos(), TimeUnit.NANOSECONDS);
            process.destroyForcibly();
            process.waitFor();
            return reached;
        } catch (TimeoutException late) {
            throw new IllegalStateException(
                    "A child came neither to its boundary nor to its end within " + DurationText.of(within) + ".",
                    late);
        } finally {
            process.destroyForcibly();
        }
    }

    private List<String> command(CrashPoint boundary, ForkedProcessTrial trial) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(QUICK);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), ForkedProcessMain.class.getName()));
        command.addAll(List.of(program.getName(), boundary.name(), Integer.toString(boundary.occurrence())));
        command.addAll(trial.arguments());
        return command;
    }

    /** Fails if the child ended without reporting: it did not start, or crashed by itself. */
    private static boolean reached(Process process) throws IOException {
        try (var out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (line.equals(ForkedProcessMain.AT_THE_BOUNDARY)) {
                    return true;
                }
                if (line.equals(ForkedProcessMain.ENDED)) {
                    return false;
                }
            }
        }
        throw new IllegalStateException("The child JVM ended without being killed. Its stderr says why.");
    }

    @Override
    public void close() {}
}
