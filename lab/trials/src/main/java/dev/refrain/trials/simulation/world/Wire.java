package dev.refrain.trials.simulation.world;

import dev.refrain.trials.simulation.machine.Chance;
import dev.refrain.trials.simulation.machine.Domain;
import java.time.Duration;

/** A way out of one process. */
abstract class Wire {

    private static final Duration USUAL = Duration.ofMillis(8);

    final Domain process;
    final Domain world;
    final Chance chance;
    final Weather weather;

    /** @param world where what was sent goes on when the process is gone */
    Wire(Domain process, Domain world, Chance chance, Weather weather) {
        this.process = process;
        this.world = world;
        this.chance = chance;
        this.weather = weather;
    }

    final void travel(Faults faults) {
        if (chance.perMille(faults.slow())) {
            var time = chance.upTo(faults.slowest());
            process.disturbed(time);
            process.sleep(time);
        } else {
            process.sleep(chance.upTo(USUAL));
        }
    }

    final void mayCrash(Faults faults, String what, String when) {
        if (chance.perMille(faults.crash())) {
            process.trace(() -> "CRASH " + when + " " + what);
            process.killSelf();
        }
    }
}
