package dev.refrain.trials.simulation.world;

import dev.refrain.RecordAdmin;
import dev.refrain.api.Outcome;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.StoreException;
import dev.refrain.trials.simulation.machine.SeededRandom;
import java.time.Duration;

/** Operator on call: settles what needs attention one way or the other, and erases on request. */
final class OnCallOperator {

    private static final int PAGE = 10;

    private final SimulatedWorld world;
    private final SeededRandom chance;

    OnCallOperator(SimulatedWorld world, SeededRandom chance) {
        this.world = world;
        this.chance = chance;
    }

    void watch() {
        for (var act : world.plan().acts()) {
            world.sleepUntil(act.from());
            while (world.age().compareTo(act.until()) < 0) {
                world.outside().sleep(chance.between(Duration.ofSeconds(3), Duration.ofSeconds(30)));
                chance.pick(world.nodes())
                        .process()
                        .ifPresent(p -> p.domain().start("on call", () -> {
                            if (chance.oneIn(12)) {
                                erase(p);
                            } else {
                                settle(p);
                            }
                        }));
            }
        }
    }

    /** Erases a tenant that has left. */
    private void erase(SimulatedProcess process) {
        var scope = chance.pick(world.plan().scopes());
        try {
            process.refrain().admin().erase(new ErasureRequest.OfScope(scope), "on call", "The tenant asked for it.");
        } catch (StoreException away) {
            // A person tries again later.
        }
    }

    private void settle(SimulatedProcess process) {
        var operators = process.refrain().admin();
        try {
            for (var item : operators.listAttention(PAGE)) {
                // Meanwhile its own late runner may complete it.
                process.domain().sleep(chance.upTo(Duration.ofSeconds(chance.oneIn(4) ? 8 : 1)));
                settle(operators, item);
            }
        } catch (StoreException away) {
            // A person tries again later.
        }
    }

    private void settle(RecordAdmin operators, AttentionItem item) {
        var bank = world.plan().services().stream()
                .filter(service -> service.name().equals(item.identity().namespace()))
                .filter(service -> service.bank().isPresent())
                .map(world::bank)
                .findFirst();
        int verdict = bank.map(there -> knowing(there, item)).orElseGet(() -> chance.below(3));
        switch (verdict) {
            case 0 -> operators.release(item.claim(), "on call", "The provider knows nothing of it.");
            case 1 ->
                operators.resolve(
                        item.claim(), Outcome.Answer.of(200, chance.bytes(4)), "on call", "The provider has it.");
            default -> {}
        }
    }

    /** Decides on a flow by looking up its call; waits while that may still be on its way. */
    private int knowing(SimulatedDownstream bank, AttentionItem item) {
        String key = item.claim().id().keyFor(SimulatedFlow.CALL);
        if (!bank.isQuiet(key) || chance.oneIn(3)) {
            return 2;
        }
        return bank.find(key).isPresent() ? 1 : 0;
    }
}
