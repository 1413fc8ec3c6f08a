package dev.refrain.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** An {@code await()} that names no time waits a minute, here as in every module. */
class AwaitPatienceTest {

    @Test
    void awaitWithoutATimeWaitsAMinute() {
        var left = new AtomicLong();
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .conditionEvaluationListener(seen -> left.set(seen.getRemainingTimeInMS()))
                .until(() -> true);

        assertThat(Duration.ofMillis(left.get())).isBetween(Duration.ofSeconds(30), Duration.ofMinutes(1));
    }

    /** The extension is found because the root pom says so to the runner; a module that spoke to it itself would not have it. */
    @Test
    void noModuleSpeaksToTheTestRunnerItself() throws Exception {
        for (String module : PomFile.of(".").modules()) {
            assertThat(Files.readString(Path.of("../..", module, "pom.xml")))
                    .as(module)
                    .doesNotContain("<configurationParameters>");
        }
    }
}
