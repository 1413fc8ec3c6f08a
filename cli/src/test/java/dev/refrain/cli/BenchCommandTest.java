package dev.refrain.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class BenchCommandTest {

    private final AtomicReference<BenchmarkOptions> received = new AtomicReference<>();
    private final CommandLine bench = new CommandLine(new BenchCommand((request, out) -> {
        received.set(request);
        return 1;
    }));

    @Test
    void everythingIsMeasuredByDefault() {
        CommandResult.refrain(bench);
        assertThat(received.get())
                .isEqualTo(new BenchmarkOptions(false, Optional.empty(), List.of(), Optional.empty(), false));
    }

    @Test
    void optionsAreAppliedAndExitCodeIsReturned() {
        CommandResult ran = CommandResult.refrain(
                bench,
                "--quick",
                "--json",
                "out.json",
                "--only",
                "leased,replay",
                "sqlite",
                "--url",
                "jdbc:postgresql://db/x");
        assertThat(received.get())
                .isEqualTo(new BenchmarkOptions(
                        true,
                        Optional.of(Path.of("out.json")),
                        List.of("leased", "replay", "sqlite"),
                        Optional.of("jdbc:postgresql://db/x"),
                        false));
        assertThat(ran.exitCode()).isEqualTo(1);
    }

    @Test
    void fullRunIsJudgedAndAQuickOneIsNot() {
        CommandResult.refrain(bench, "--check");
        assertThat(received.get().check()).isTrue();

        CommandResult refused = CommandResult.refrain("bench", "--quick", "--check");
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains("--check needs a full run");
    }

    @Test
    void withoutTheBenchmarksTheCommandFailsWithOneSentence() {
        CommandResult ran = CommandResult.refrain("bench", "--quick");
        assertThat(ran.exitCode()).isEqualTo(1);
        assertThat(ran.err())
                .startsWith(
                        "refrain: The benchmarks are not part of this distribution. Run ./refrain bench in a checkout")
                .hasLineCount(1);
    }
}
