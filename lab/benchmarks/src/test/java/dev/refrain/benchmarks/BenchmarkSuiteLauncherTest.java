package dev.refrain.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.cli.BenchmarkLauncher;
import dev.refrain.cli.BenchmarkOptions;
import dev.refrain.cli.CommandFailedException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class BenchmarkSuiteLauncherTest {

    @Test
    void commandLineFindsTheRunner() {
        assertThat(ServiceLoader.load(BenchmarkLauncher.class))
                .singleElement()
                .isInstanceOf(BenchmarkSuiteLauncher.class);
    }

    @Test
    void unknownMeasurementIsRefusedInOneSentence() {
        var request = new BenchmarkOptions(
                false, Optional.empty(), List.of("leased", "bogus"), Optional.empty(), Optional.empty(), false);

        assertThatThrownBy(() -> new BenchmarkSuiteLauncher().run(request, new PrintWriter(new StringWriter())))
                .isInstanceOf(CommandFailedException.class)
                .hasMessageContaining("no measurement 'bogus'")
                .hasMessageContaining("transactional");
    }
}
