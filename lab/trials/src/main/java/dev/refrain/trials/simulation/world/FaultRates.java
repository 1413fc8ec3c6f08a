package dev.refrain.trials.simulation.world;

import dev.refrain.trials.simulation.machine.SeededRandom;
import java.time.Duration;

/**
 * Rates of faults, per thousand calls.
 *
 *
 * @param refused the store says no at once, and nothing happened
 * @param unasked the question is lost on its way: nothing happened, and nobody knows
 * @param unheard the answer is lost: it happened, and nobody knows
 * @param partly a batch was done up to some row when the connection broke
 * @param belated the connection broke, and the store carries the question out later all the same
 * @param rejected a row stands in the way of its batch
 * @param crash the process dies before, or after, the call
 * @param slow the call takes long, up to {@link #slowest}
 * @param lying a thread that could run is left lying
 * @param troubles how many times something happens to a whole process, or to a clock, in each act
 */
public record FaultRates(
        int refused,
        int unasked,
        int unheard,
        int partly,
        int belated,
        int rejected,
        int crash,
        int slow,
        Duration slowest,
        int lying,
        int troubles) {

    static final FaultRates NONE = new FaultRates(0, 0, 0, 0, 0, 0, 0, 0, Duration.ofMillis(5), 0, 0);

    /** Returns the same rates without those of calls: threads and processes are slow or die, and what they ask is answered. */
    FaultRates ofProcessesAlone() {
        return new FaultRates(0, 0, 0, 0, 0, 0, 0, slow, Duration.ofMillis(5), lying, troubles);
    }

    /** Returns random rates: some worlds are quiet, most have a few of all faults, some have many of one. */
    static FaultRates by(SeededRandom chance) {
        return switch (chance.below(8)) {
            case 0 -> NONE;
            case 1 -> new FaultRates(0, 0, 0, 0, 0, 30, 0, 100, Duration.ofSeconds(2), 10, 0);
            case 2 -> new FaultRates(0, 0, 0, 0, 0, 0, 12, 20, Duration.ofMillis(500), 2, 3);
            case 3 -> new FaultRates(20, 60, 120, 40, 10, 20, 0, 50, Duration.ofSeconds(1), 2, 0);
            case 4 -> new FaultRates(0, 0, 0, 0, 0, 0, 0, 20, Duration.ofMillis(500), 25, 6);
            case 5 -> new FaultRates(2, 10, 20, 10, 20, 10, 4, 60, Duration.ofSeconds(15), 5, 3);
            default -> new FaultRates(5, 15, 30, 10, 5, 10, 3, 40, Duration.ofSeconds(4), 5, 3);
        };
    }
}
