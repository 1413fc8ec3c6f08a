package dev.refrain.trials.kills;

import dev.refrain.servers.LossyProxy;
import java.util.Random;

/** Lets the network between all processes and the database fall silent now and then; afterwards it goes on, or every connection is broken. */
final class NetworkSilencer extends TrialNuisance {

    private final LossyProxy network;
    private final KillTimeline timeline;

    NetworkSilencer(LossyProxy network, KillTimeline timeline, Random random) {
        super(random);
        this.network = network;
        this.timeline = timeline;
    }

    @Override
    void annoy(Random random) throws InterruptedException {
        network.standStill();
        timeline.silencedNetwork();
        try {
            Thread.sleep(500 + random.nextInt(2_500));
        } finally {
            if (random.nextBoolean()) {
                network.breakOff();
            }
            network.heal();
        }
    }
}
