package dev.refrain.trials.simulation.world;

import dev.refrain.store.Store;
import dev.refrain.store.outbox.OutboxStore;
import dev.refrain.trials.simulation.law.Offer;
import java.util.function.UnaryOperator;

/**
 * What is done to a world before anyone lives in it; nothing, unless the law itself is on trial.
 *
 * @param store what is made of the store
 * @param outbox what is made of the messages
 * @param declared what another system is said to offer, by what it does offer
 */
public record Tampering(UnaryOperator<Store> store, WithOutbox outbox, UnaryOperator<Offer> declared) {

    public static final Tampering NONE =
            new Tampering(UnaryOperator.identity(), WithOutbox.NOTHING, UnaryOperator.identity());

    /** Done to what each process sees of the messages. */
    public interface WithOutbox {

        WithOutbox NOTHING = new WithOutbox() {
            @Override
            public <C> OutboxStore<C> over(OutboxStore<C> outbox) {
                return outbox;
            }
        };

        <C> OutboxStore<C> over(OutboxStore<C> outbox);
    }

    public static Tampering withStore(UnaryOperator<Store> store) {
        return new Tampering(store, WithOutbox.NOTHING, UnaryOperator.identity());
    }

    public static Tampering withOutbox(WithOutbox outbox) {
        return new Tampering(UnaryOperator.identity(), outbox, UnaryOperator.identity());
    }

    public static Tampering declaring(UnaryOperator<Offer> declared) {
        return new Tampering(UnaryOperator.identity(), WithOutbox.NOTHING, declared);
    }
}
