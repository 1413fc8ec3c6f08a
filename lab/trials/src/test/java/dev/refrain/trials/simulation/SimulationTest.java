package dev.refrain.trials.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The protocol under crashes at every store call, lost replies, pauses, clock trouble and operators, in many small worlds. */
class SimulationTest {

    private static final Duration TIME = Duration.ofSeconds(12);
    private static final long LEAST_WORLDS = 2_000;
    private static final Duration AT_MOST = Duration.ofMinutes(5);

    private final Simulation simulation = Simulation.ofTheProduct();

    @Test
    void everyInvariantHoldsAfterEveryStepOfThousandsOfWorlds() {
        assumeTrue(seedToReplay().isEmpty(), "one seed was asked for");
        long begun = System.nanoTime();
        var time = Boolean.getBoolean("tests.long")
                ? Duration.ofMinutes(Long.getLong("refrain.simulation.minutes", 10))
                : TIME;
        // New seeds every time would make a red build that nobody can repeat; the long run is there to look further.
        long first = Long.getLong("refrain.simulation.first", Boolean.getBoolean("tests.long") ? begun >>> 8 : 1);
        var report = simulation.run(
                first,
                lived -> since(begun).compareTo(time) < 0
                        || (lived < LEAST_WORLDS && since(begun).compareTo(AT_MOST) < 0));
        System.out.println(report.worlds() + " worlds from seed " + first + " in "
                + since(begun).toSeconds() + " s: " + report.events());
        report.failing().ifPresent(seed -> fail(explanation(seed)));
        assertThat(report.worlds()).isGreaterThanOrEqualTo(LEAST_WORLDS);
    }

    @Test
    void requestedSeedIsReportedInFull() throws IOException {
        assumeTrue(seedToReplay().isPresent(), "no seed was asked for: -Drefrain.simulation.seed=…");
        long seed = seedToReplay().get();
        var replay = simulation.replay(seed);
        var file = Path.of("target", "simulation-" + seed + ".txt");
        Files.createDirectories(file.getParent());
        Files.write(file, replay.trace().lines());
        System.out.println(
                replay.told() + "\nAll " + replay.trace().lines().size() + " lines are in " + file.toAbsolutePath());
        assertThat(replay.violations()).isEmpty();
    }

    @Test
    void equalSeedsHaveEqualHistories() {
        for (long seed = 1; seed <= 40; seed++) {
            var first = simulation.replay(seed);
            var second = simulation.replay(seed);
            assertThat(second.trace().lines())
                    .as("seed %d", seed)
                    .isEqualTo(first.trace().lines());
            assertThat(second.trace().hash())
                    .as("seed %d", seed)
                    .isEqualTo(first.trace().hash());
        }
        assertThat(simulation.replay(1).trace().hash())
                .isNotEqualTo(simulation.replay(2).trace().hash());
    }

    private String explanation(long seed) {
        return "Seed " + seed + " breaks the protocol. Its end:\n"
                + simulation.replay(seed).told()
                + "\nTo see all of it:\n./mvnw -pl lab/trials -am test -Dtest=SimulationTest -Drefrain.simulation.seed="
                + seed + " -Dsurefire.failIfNoSpecifiedTests=false";
    }

    private static Optional<Long> seedToReplay() {
        return Optional.ofNullable(Long.getLong("refrain.simulation.seed"));
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }
}
