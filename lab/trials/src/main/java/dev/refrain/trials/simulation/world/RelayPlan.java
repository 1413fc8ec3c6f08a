package dev.refrain.trials.simulation.world;

import dev.refrain.trials.simulation.machine.SeededRandom;
import java.time.Duration;

/**
 * Plan of the messages of a world whose deliveries stall for longer than their leases.
 *
 * @param messages how many are staged in each topic
 * @param lines how many order keys they have; one message in three has none
 * @param stallOneIn how many messages there are for one whose every delivery stalls, and for one that fails
 * @param within the timeout of a delivery
 * @param lease how long a message belongs to one relay
 * @param maxAttempts the number of attempts after which a message becomes a dead letter
 */
record RelayPlan(int messages, int lines, int stallOneIn, Duration within, Duration lease, int maxAttempts) {

    static RelayPlan by(SeededRandom chance) {
        var within = chance.between(Duration.ofSeconds(1), Duration.ofSeconds(2));
        return new RelayPlan(
                chance.between(3, 10),
                chance.between(1, 3),
                chance.between(3, 6),
                within,
                within.plus(chance.between(Duration.ofMillis(500), Duration.ofSeconds(3))),
                chance.between(1, 4));
    }

    /** Returns how long a delivery stalls: mostly longer than its lease, always longer than its timeout. */
    Duration stall(SeededRandom chance) {
        return chance.between(within.plusMillis(100), lease.multipliedBy(2));
    }
}
