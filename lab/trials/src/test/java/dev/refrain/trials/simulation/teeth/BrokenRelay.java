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
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** How messages are delivered: broken in several ways. */
enum BrokenRelay implements SimulationMutation.OutboxMutation {

    /** What is taken is marked as delivered, and only then delivered. */
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

    /** What somebody took and never settled is not there any more. */
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

    /** What was delivered is not marked. */
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

    /** That a message may have arrived is not remembered. */
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

    /** Messages wait for nobody. */
    KEEPS_NO_ORDER {
        @Override
        public <C> OutboxStore<C> over(OutboxStore<C> outbox) {
            return new MutantOutbox<>(outbox) {
                @Override
                public void stage(C connection, StagedMessage message) {
                    super.stage(
                            connection,
                            new StagedMessage(message.id(), message.topic(), Optional.empty(), message.payload()));
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
                t.age());
    }
}
