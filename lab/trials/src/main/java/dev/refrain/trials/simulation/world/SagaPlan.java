package dev.refrain.trials.simulation.world;

import dev.refrain.api.ScopedKey;
import dev.refrain.trials.simulation.law.SimulatedGuarantee;
import dev.refrain.trials.simulation.law.SimulationEvent.Acted;
import dev.refrain.trials.simulation.machine.SeededRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Plan of the sagas of a world.
 *
 * @param orders the ids of the sagas
 * @param bank the system that one of their steps calls
 * @param lease how long a run is waited for after a crash
 */
record SagaPlan(List<ScopedKey> orders, SimulatedDownstream.DownstreamTraits bank, Duration lease) {

    static final String SCOPE = "ann";
    static final String NAME = "saga";

    /** Kind of the job that a saga waits for. */
    enum JobKind {
        TRANSACTIONAL,
        /** Calls a printer, and may fail for good or need attention. */
        LEASED,
        /** The same in a queue of which the saga has a lookup alone. */
        OF_ANOTHER_QUEUE
    }

    /** Returns the kind of the job. It follows from what is drawn anyway, so that the other choices of a world stay the same. */
    JobKind jobs() {
        return switch (Math.floorMod(lease.toMillis(), 4)) {
            case 0 -> JobKind.LEASED;
            case 1 -> JobKind.OF_ANOTHER_QUEUE;
            default -> JobKind.TRANSACTIONAL;
        };
    }

    /** Returns the printer that leased jobs call: it prints whatever arrives, and can be asked. */
    SimulatedDownstream.DownstreamTraits printer() {
        return new SimulatedDownstream.DownstreamTraits(
                "printer", SimulatedGuarantee.LOOKUP, Acted.By.RELAY, Duration.ZERO, bank.within());
    }

    static SagaPlan by(SeededRandom chance) {
        var orders = new ArrayList<ScopedKey>();
        int count = chance.between(2, 5);
        for (int i = 0; i < count; i++) {
            orders.add(new ScopedKey(SCOPE, NAME, "order" + i));
        }
        var within = chance.between(Duration.ofSeconds(2), Duration.ofSeconds(4));
        var bank = new SimulatedDownstream.DownstreamTraits(
                "bank",
                chance.pick(List.of(SimulatedGuarantee.values())),
                Acted.By.FLOW,
                within.plus(chance.between(Duration.ofSeconds(4), Duration.ofSeconds(25))),
                within);
        return new SagaPlan(List.copyOf(orders), bank, chance.between(within.multipliedBy(2), Duration.ofSeconds(12)));
    }
}
