package dev.refrain.trials.simulation.world;

import dev.refrain.store.Store;
import dev.refrain.store.outbox.OutboxStore;
import dev.refrain.trials.simulation.law.SimulatedGuarantee;
import java.util.function.UnaryOperator;

/**
 * Mutation of a world before it runs; none, unless the rules themselves are tested.
 *
 *
 * @param store what is made of the store
 * @param outbox what is made of the messages
 * @param declared what another system is said to offer, by what it does offer
 */
public record SimulationMutation(
        UnaryOperator<Store> store, OutboxMutation outbox, UnaryOperator<SimulatedGuarantee> declared) {

    public static final SimulationMutation NONE =
            new SimulationMutation(UnaryOperator.identity(), OutboxMutation.NOTHING, UnaryOperator.identity());

    /** Mutation of the outbox as each process sees it. */
    public interface OutboxMutation {

        OutboxMutation NOTHING = new OutboxMutation() {
            @Override
            public <C> OutboxStore<C> over(OutboxStore<C> outbox) {
                return outbox;
            }
        };

        <C> OutboxStore<C> over(OutboxStore<C> outbox);
    }

    public static SimulationMutation withStore(UnaryOperator<Store> store) {
        return new SimulationMutation(store, OutboxMutation.NOTHING, UnaryOperator.identity());
    }

    public static SimulationMutation withOutbox(OutboxMutation outbox) {
        return new SimulationMutation(UnaryOperator.identity(), outbox, UnaryOperator.identity());
    }

    public static SimulationMutation declaring(UnaryOperator<SimulatedGuarantee> declared) {
        return new SimulationMutation(UnaryOperator.identity(), OutboxMutation.NOTHING, declared);
    }
}
