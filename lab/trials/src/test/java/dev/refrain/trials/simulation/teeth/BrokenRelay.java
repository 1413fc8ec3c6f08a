package dev.refrain.trials.simulation.teeth;

import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageLeaseRequest;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.OutboxRowRef;
import dev.refrain.store.outbox.OutboxStore;
import dev.refrain.store.outbox.StagedMessage;
import dev.refrain.trials.simulation.world.SimulationMutation;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Mutants of the relay: how messages are delivered. */
enum BrokenRelay implements SimulationMutation.OutboxMutation {

    /** Messages are marked as delivered before they are delivered. */
    MARKS_FIRST {
        @Override
        public <C> OutboxStore<C> over(OutboxStore<C> outbox) {
            return new MutantOutbox<>(outbox) {
                @Override
                public List<LeasedMessage> leaseMessages(MessageLeaseRequest order) {
                    return marked(this, super.leaseMessages(order), taken -> true);
                }
            };
        }
    },

    /** Messages of a crashed relay are lost. */
    FORGETS_WHAT_CRASHED {
        @Override
        public <C> OutboxStore<C> over(OutboxStore<C> outbox) {
            return new MutantOutbox<>(outbox) {
                @Override
                public List<LeasedMessage> leaseMessages(MessageLeaseRequest order) {
                    var taken = marked(this, super.leaseMessages(order), LeasedMessage::mayHaveArrived);
                    return taken.stream().filter(row -> !row.mayHaveArrived()).toList();
                }
            };
        }
    },

    /** Delivered messages are not marked. */
    NEVER_MARKS {
        @Override
        public <C> OutboxStore<C> over(OutboxStore<C> outbox) {
            return new MutantOutbox<>(outbox) {
                @Override
                public Set<OutboxRowRef> settle(List<? extends MessageSettlement> settlements) {
                    return super.settle(settlements.stream()
                            .filter(settlement -> !(settlement instanceof MessageSettlement.Delivered))
                            .toList());
                }
            };
        }
    },

    /** The intent to send a message is not stored. */
    FORGETS_THAT_IT_SENT {
        @Override
        public <C> OutboxStore<C> over(OutboxStore<C> outbox) {
            return new MutantOutbox<>(outbox) {
                @Override
                public List<LeasedMessage> leaseMessages(MessageLeaseRequest order) {
                    return super.leaseMessages(order).stream()
                            .map(BrokenRelay::asNew)
                            .toList();
                }
            };
        }
    },

    /** Ordering is ignored. */
    KEEPS_NO_ORDER {
        @Override
        public <C> OutboxStore<C> over(OutboxStore<C> outbox) {
            return new MutantOutbox<>(outbox) {
                @Override
                public void stage(C connection, StagedMessage message) {
                    super.stage(connection, new StagedMessage(message.id(), message.topic(), null, message.payload()));
                }
            };
        }
    };

    private static List<LeasedMessage> marked(
            OutboxStore<?> outbox, List<LeasedMessage> taken, Predicate<LeasedMessage> which) {
        var marks = taken.stream()
                .filter(which)
                .map(row -> new MessageSettlement.Delivered(row.row(), Duration.ZERO))
                .toList();
        if (!marks.isEmpty()) {
            outbox.settle(marks);
        }
        return taken;
    }

    private static LeasedMessage asNew(LeasedMessage t) {
        return new LeasedMessage(
                t.row(),
                t.id(),
                t.topic(),
                t.lane(),
                t.orderKey(),
                t.payload(),
                t.attempts(),
                1,
                Duration.ZERO,
                t.age(),
                t.labels());
    }
}
