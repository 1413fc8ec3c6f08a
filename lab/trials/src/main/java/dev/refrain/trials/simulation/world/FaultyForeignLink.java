package dev.refrain.trials.simulation.world;

import dev.refrain.api.NotSentException;
import dev.refrain.trials.simulation.machine.SeededRandom;
import dev.refrain.trials.simulation.machine.SimulatedThreadGroup;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;

/** Link of one process to downstreams. A request arrives within the time that a call may take, or never. */
final class FaultyForeignLink extends FaultyLink {

    FaultyForeignLink(
            SimulatedThreadGroup process, SimulatedThreadGroup world, SeededRandom chance, CurrentFaultRates weather) {
        super(process, world, chance, weather);
    }

    /** @param within after this the caller has gone */
    <A> A call(String what, Duration within, Supplier<A> there) throws IOException, InterruptedException {
        var faults = weather.faults();
        mayCrash(faults, what, "before");
        if (chance.perMille(faults.refused())) {
            process.trace(() -> what + " not sent");
            throw new NotSentException("Nobody answers.", null);
        }
        var soon = within.multipliedBy(2).dividedBy(5);
        process.sleep(chance.upTo(chance.perMille(faults.slow()) ? soon : Duration.ofMillis(20)));
        if (chance.perMille(faults.unasked())) {
            throw lost(what, "lost on its way");
        }
        if (chance.perMille(faults.belated() * 3)) {
            process.trace(() -> what + " belated");
            world.after(chance.upTo(soon), () -> {
                var nobodyHears = there.get();
                world.trace(() -> "belated " + what + " of " + process.name() + " -> " + nobodyHears);
            });
            process.nap(within.multipliedBy(2));
            throw lost(what, "never answered");
        }
        var answer = there.get();
        process.trace(() -> what + " -> " + answer);
        mayCrash(faults, what, "after");
        if (chance.perMille(faults.slow())) {
            process.nap(chance.upTo(faults.slowest()));
        }
        if (chance.perMille(faults.unheard())) {
            throw lost(what, "reply lost");
        }
        return answer;
    }

    private IOException lost(String what, String how) {
        process.trace(() -> what + " " + how);
        return new IOException("The connection was lost.");
    }
}
