package dev.refrain.trials.simulation.teeth;

import dev.refrain.store.outbox.OutboxStore;
import dev.refrain.store.outbox.RowRef;
import dev.refrain.store.outbox.Settlement;
import dev.refrain.store.outbox.Staged;
import dev.refrain.store.outbox.TakeOrder;
import dev.refrain.store.outbox.Taken;
import dev.refrain.trials.simulation.world.Tampering;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** How messages are delivered: broken in several ways. */
enum BrokenRelay implements Tampering.WithOutbox {

    /** What is taken is marked as delivered, and only then delivered. */
    MARKS_FIRST {
        @Override
        public <C> OutboxStore<C> over(OutboxStore<C> outbox) {
            return new TamperedOutbox<>(outbox) {
                @Override
                public List<Taken> leaseMessages(TakeOrder order) {
                    return marked(this, super.leaseMessages(order), taken -> true);
                }
            };
        }
    },

    /** What somebody took and never settled is not there any more. */
    FORGETS_WHAT_CRASHED {
        @Override
        public <C> OutboxStore<C> over(OutboxStore<C> outbox) {
            return new TamperedOutbox<>(outbox) {
                @Override
                public List<Taken> leaseMessages(TakeOrder order) {
                    var taken = marked(this, super.leaseMessages(order), Taken::mayHaveArrived);
                    return taken.stream().filter(row -> !row.mayHaveArrived()).toList();
                }
            };
        }
    },

    /** What was delivered is not marked. */
    NEVER_MARKS {
        @Override
        public <C> OutboxStore<C> over(OutboxStore<C> outbox) {
            return new TamperedOutbox<>(outbox) {
                @Override
                public Set<RowRef> settle(List<? extends Settlement> settlements) {
                    return super.settle(settlements.stream()
                            .filter(settlement -> !(settlement instanceof Settlement.Delivered))
                            .toList());
                }
            };
        }
    },

    /** That a message may have arrived is not remembered. */
    FORGETS_THAT_IT_SENT {
        @Override
        public <C> OutboxStore<C> over(OutboxStore<C> outbox) {
            return new TamperedOutbox<>(outbox) {
                @Override
                public List<Taken> leaseMessages(TakeOrder order) {
                    return super.leaseMessages(order).stream().map(BrokenRelay::asNew).toList();
                }
            };
        }
    },

    /** Messages wait for nobody. */
    KEEPS_NO_ORDER {
        @Override
        public <C> OutboxStore<C> over(OutboxStore<C> outbox) {
            return new TamperedOutbox<>(outbox) {
                @Override
                public void stage(C connection, Staged message) {
                    super.stage(
                            connection, new Staged(message.id(), message.topic(), Optional.empty(), message.payload()));
                }
            };
        }
    };

    private static List<Taken> marked(OutboxStore<?> outbox, List<Taken> taken, Predicate<Taken> which) {
        var marks = taken.stream()
                .filter(which)
                .map(row -> new Settlement.Delivered(row.row(), Duration.ZERO))
                .toList();
        if (!marks.isEmpty()) {
            outbox.settle(marks);
        }
        return taken;
    }

    private static Taken asNew(Taken t) {
        return new Taken(
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
