package dev.refrain.trials.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.refrain.trials.simulation.world.SimulationMutation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Sagas with calls and jobs, transfers with a reconciler, and relays slower than their leases, under crashes, lost replies, pauses, dead letters and people who decide, in many
 * small worlds.
 */
class SagaAndLedgerSimulationTest {

    enum Worlds {
        /** Every saga ends, and is undone wholly or not at all. */
        SAGAS(Simulation.ofSagas(SimulationMutation.NONE), 250),
        /** The reconciler finds every entry without its partner, and nothing else. */
        LEDGERS(Simulation.ofLedgers(SimulationMutation.NONE), 250),
        /** Deliveries that stall for longer than their leases make no message a dead letter that was not tried often enough. */
        RELAYS(Simulation.ofRelays(SimulationMutation.NONE), 2_000);

        private final Simulation simulation;
        private final int count;

        Worlds(Simulation simulation, int count) {
            this.simulation = simulation;
            this.count = count;
        }
    }

    @ParameterizedTest
    @EnumSource(Worlds.class)
    void everyRuleHoldsInHundredsOfWorlds(Worlds worlds) throws IOException {
        long begun = System.nanoTime();
        boolean isLong = Boolean.getBoolean("tests.long");
        long first = Long.getLong("refrain.simulation.first", isLong ? begun >>> 8 : 1);
        var report = isLong
                ? worlds.simulation.run(first, Duration.ofMinutes(Long.getLong("refrain.simulation.minutes", 10)))
                : worlds.simulation.run(first, worlds.count);
        System.out.println(report.worlds() + " worlds of " + worlds + " from seed " + first + " in "
                + Duration.ofNanos(System.nanoTime() - begun).toSeconds() + " s: " + report.events());
        if (report.failing().isPresent()) {
            fail(explanation(worlds, report.failing().get()));
        }
    }

    @ParameterizedTest
    @EnumSource(Worlds.class)
    void equalSeedsHaveEqualHistories(Worlds worlds) {
        for (long seed = 1; seed <= 10; seed++) {
            assertThat(worlds.simulation.replay(seed).trace().hash())
                    .as("seed %d", seed)
                    .isEqualTo(worlds.simulation.replay(seed).trace().hash());
        }
    }

    private static String explanation(Worlds worlds, long seed) throws IOException {
        var replay = worlds.simulation.replay(seed);
        var file = Path.of("target", "simulation-" + worlds + "-" + seed + ".txt");
        Files.write(file, replay.trace().lines());
        return "Seed " + seed + " of " + worlds + " breaks the protocol. All of it is in " + file.toAbsolutePath()
                + ". Its end:\n" + replay.told();
    }
}
