package dev.refrain.trials.simulation.teeth;

import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageLeaseRequest;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.OutboxRowRef;
import dev.refrain.store.outbox.OutboxStore;
import dev.refrain.trials.simulation.world.SimulationMutation;
import java.util.List;
import java.util.Set;

/** Mutants of relays that are slower than their leases: what was not tried counts as an attempt. */
enum SlowRelayMutant implements SimulationMutation.OutboxMutation {

    /** Messages are leased that wait behind others of their lane, also for targets. */
    LEASES_WHAT_WAITS {
        @Override
        public <C> OutboxStore<C> over(OutboxStore<C> outbox) {
            return new MutantOutbox<>(outbox) {
                @Override
                public List<LeasedMessage> leaseMessages(MessageLeaseRequest order) {
                    return super.leaseMessages(new MessageLeaseRequest(
                            order.topic(), order.lease(), 10 * order.maxRows(), 10, order.maxBytes()));
                }
            };
        }
    },

    /** A lease that was lost counts as an attempt of a handler. */
    COUNTS_LOST_LEASES {
        @Override
        public <C> OutboxStore<C> over(OutboxStore<C> outbox) {
            return BrokenRelay.FORGETS_THAT_IT_SENT.over(outbox);
        }
    },

    /** Messages that were not tried are left to their lease. */
    RELEASES_NOTHING {
        @Override
        public <C> OutboxStore<C> over(OutboxStore<C> outbox) {
            return new MutantOutbox<>(outbox) {
                @Override
                public Set<OutboxRowRef> settle(List<? extends MessageSettlement> settlements) {
                    return super.settle(settlements.stream()
                            .filter(settlement -> !(settlement instanceof MessageSettlement.NotSent))
                            .toList());
                }
            };
        }
    };
}
