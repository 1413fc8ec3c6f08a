package dev.refrain.trials.simulation.world;

import dev.refrain.api.ScopedKey;
import dev.refrain.reconcile.ReconcilerSettings;
import dev.refrain.trials.simulation.machine.SeededRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Plan of the transfers of a world, and of the reconciler.
 *
 * @param transfers the keys of the flows
 * @param honoursKeys whether the bank honours keys; otherwise calls with a lost reply wait for a person
 * @param within how long a call of the bank may take
 * @param interval how often the ledger is read
 */
record LedgerPlan(
        List<ScopedKey> transfers,
        boolean honoursKeys,
        Duration within,
        Duration lease,
        Duration interval,
        ReconcilerSettings settings) {

    static final String SCOPE = "ann";
    static final String NAME = "transfer";

    static LedgerPlan by(SeededRandom chance) {
        var transfers = new ArrayList<ScopedKey>();
        int count = chance.between(4, 12);
        for (int i = 0; i < count; i++) {
            transfers.add(new ScopedKey(SCOPE, NAME, "transfer" + i));
        }
        var within = chance.between(Duration.ofSeconds(2), Duration.ofSeconds(4));
        return new LedgerPlan(
                List.copyOf(transfers),
                chance.oneIn(2),
                within,
                chance.between(within.multipliedBy(2), Duration.ofSeconds(12)),
                chance.between(Duration.ofSeconds(10), Duration.ofSeconds(40)),
                // The store's clock may be ahead of the bank's by less than the overlap.
                new ReconcilerSettings(
                        chance.between(Duration.ofSeconds(5), Duration.ofSeconds(30)),
                        Duration.ofSeconds(90),
                        Duration.ofHours(1),
                        Duration.ofHours(2),
                        chance.between(1, 4)));
    }
}
