package dev.refrain.trials.simulation.world;

import dev.refrain.trials.simulation.machine.SeededRandom;
import dev.refrain.trials.simulation.machine.SimulatedThreadGroup;
import java.time.Duration;

/** Link of one process to the outside. */
abstract class FaultyLink {

    private static final Duration USUAL = Duration.ofMillis(8);

    final SimulatedThreadGroup process;
    final SimulatedThreadGroup world;
    final SeededRandom chance;
    final CurrentFaultRates weather;

    /** @param world where what was sent goes on when the process is gone */
    FaultyLink(
            SimulatedThreadGroup process, SimulatedThreadGroup world, SeededRandom chance, CurrentFaultRates weather) {
        this.process = process;
        this.world = world;
        this.chance = chance;
        this.weather = weather;
    }

    final void travel(FaultRates faults) {
        if (chance.perMille(faults.slow())) {
            var time = chance.upTo(faults.slowest());
            process.disturbed(time);
            process.sleep(time);
        } else {
            process.sleep(chance.upTo(USUAL));
        }
    }

    final void mayCrash(FaultRates faults, String what, String when) {
        if (chance.perMille(faults.crash())) {
            process.trace(() -> "CRASH " + when + " " + what);
            process.killSelf();
        }
    }
}
