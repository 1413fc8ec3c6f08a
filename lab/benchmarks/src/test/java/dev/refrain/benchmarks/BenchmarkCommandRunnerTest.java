package dev.refrain.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.cli.BenchRequest;
import dev.refrain.cli.BenchRunner;
import dev.refrain.cli.CommandFailedException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class BenchmarkCommandRunnerTest {

    @Test
    void commandLineFindsTheRunner() {
        assertThat(ServiceLoader.load(BenchRunner.class)).singleElement().isInstanceOf(BenchmarkCommandRunner.class);
    }

    @Test
    void unknownMeasurementIsRefusedInOneSentence() {
        var request = new BenchRequest(false, Optional.empty(), List.of("leased", "bogus"), Optional.empty(), false);

        assertThatThrownBy(() -> new BenchmarkCommandRunner().run(request, new PrintWriter(new StringWriter())))
                .isInstanceOf(CommandFailedException.class)
                .hasMessageContaining("no measurement 'bogus'")
                .hasMessageContaining("transactional");
    }
}
