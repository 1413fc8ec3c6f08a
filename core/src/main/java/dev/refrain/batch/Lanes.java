package dev.refrain.batch;

import dev.refrain.Environment;
import dev.refrain.key.Identity;
import dev.refrain.key.Lookup;
import dev.refrain.observe.Listener;
import dev.refrain.outcome.Payload;
import dev.refrain.store.ClaimAnswer;
import dev.refrain.store.ClaimRef;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.State;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.Write;
import dev.refrain.store.WriteAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** The ways to one store: claims, writes, renewals and reads each have their own, so none waits behind another. */
public final class Lanes {

    private static final int ROWS = 256;
    private static final long BYTES = 4 << 20;
    private static final int ROW_OVERHEAD = 256;
    private static final Duration LOCKED_PAUSE = Duration.ofMillis(100);
    private static final Duration TIDY_STEP = Duration.ofMillis(20);

    private final Environment environment;
    private final AtomicInteger tidying = new AtomicInteger();
    private final Lane<ClaimRequest, ClaimAnswer> claims;
    private final Lane<Write, WriteAnswer> writes;
    private final Lane<Write, WriteAnswer> renewals;
    private final Lane<Identity, Optional<StoredRecord>> reads;

    /** @param orphans hears of a claim that was acquired for an asker who had given up waiting */
    public Lanes(Store store, Environment environment, Listener listener, Consumer<ClaimRef> orphans) {
        this.environment = environment;
        var one = new Lane.Limits(ROWS, BYTES, 1);
        var turns = new Turns();
        claims = new Lane<>(
                "claims", new Claims(store, orphans, this::releaseLater), one, turns, environment, listener);
        writes = new Lane<>("writes", new Writes(store), one, turns, environment, listener);
        renewals = new Lane<>("renewals", new Writes(store), one, new Turns(), environment, listener);
        reads = new Lane<>("reads", new Reads(store), one, new Turns(), environment, listener);
    }

    /** Gives back, in the background, what may have been claimed for an asker who has given up. */
    public void releaseLater(ClaimRequest request) {
        runInBackground(() -> releaseIfClaimed(request));
    }

    /** Something that nobody waits for, and that is better done before this instance ends. */
    public void runInBackground(Runnable task) {
        tidying.incrementAndGet();
        try {
            environment.startThread("refrain-tidy", () -> {
                try {
                    task.run();
                } finally {
                    tidying.decrementAndGet();
                }
            });
        } catch (RuntimeException | Error noThread) {
            tidying.decrementAndGet();
            throw noThread;
        }
    }

    /** Whether nothing is left to {@link #runInBackground}, at latest after this time. */
    public boolean awaitBackgroundTasks(Duration time) {
        long deadline = environment.nanoTime() + time.toNanos();
        while (tidying.get() > 0) {
            if (deadline - environment.nanoTime() <= 0) {
                return false;
            }
            environment.sleep(TIDY_STEP);
        }
        return true;
    }

    public ClaimAnswer claim(ClaimRequest request, Duration patience) {
        return claims.send(request, patience);
    }

    public WriteAnswer write(Write write, Duration patience) {
        return writes.send(write, patience);
    }

    public WriteAnswer renew(Write.Renew renewal, Duration patience) {
        return renewals.send(renewal, patience);
    }

    public Optional<StoredRecord> find(Identity identity, Duration patience) {
        return reads.send(identity, patience);
    }

    /**
     * The reply was lost and its asker gave up: if the claim was made, nothing has run under it, so it is given back rather
     * than left to its lease, and with {@code HOLD} to a person. Only its asker knew the nonce, so only it can be meant.
     */
    void releaseIfClaimed(ClaimRequest request) {
        try {
            var made = find(request.identity(), request.lease())
                    .filter(r -> r.state() == State.IN_PROGRESS && r.owner().equals(request.nonce()));
            if (made.isPresent()) {
                writeRetryingLocks(new Write.Release(made.get().claim()), request.lease());
            }
        } catch (StoreException stillAway) {
            // Then its lease runs out, and the sweeper settles it. The lane has reported the failure.
        }
    }

    /** As {@link #write}, and a row that someone has locked is no reason to give up before the patience is over. */
    public WriteAnswer writeRetryingLocks(Write write, Duration patience) {
        long deadline = environment.nanoTime() + patience.toNanos();
        while (true) {
            var left = Duration.ofNanos(deadline - environment.nanoTime());
            try {
                return write(write, left);
            } catch (RowRejectedException e) {
                if (!e.isTransient() || !left.isPositive()) {
                    throw e;
                }
                environment.sleep(LOCKED_PAUSE);
            }
        }
    }

    private record Claims(Store store, Consumer<ClaimRef> orphans, Consumer<ClaimRequest> unheardOf)
            implements Batching<ClaimRequest, ClaimAnswer> {

        @Override
        public List<ClaimAnswer> send(List<ClaimRequest> questions) {
            return store.claim(questions);
        }

        @Override
        public Lookup lookup(ClaimRequest question) {
            return question.lookup();
        }

        @Override
        public long bytes(ClaimRequest question) {
            return ROW_OVERHEAD + question.request().map(r -> (long) r.size()).orElse(0L);
        }

        @Override
        public boolean hasSameAnswer(ClaimRequest leader, ClaimRequest follower) {
            return leader.identity().equals(follower.identity());
        }

        /** A twin of one that was just acquired finds it in progress; the core compares its fingerprint. */
        @Override
        public ClaimAnswer answerForDuplicate(ClaimAnswer leaderAnswer) {
            return leaderAnswer instanceof ClaimAnswer.Acquired acquired
                    ? new ClaimAnswer.Found(acquired.record())
                    : leaderAnswer;
        }

        @Override
        public void onUnclaimedAnswer(ClaimAnswer answer) {
            if (answer instanceof ClaimAnswer.Acquired acquired) {
                orphans.accept(acquired.record().claim());
            }
        }

        @Override
        public void onLostReply(ClaimRequest question) {
            unheardOf.accept(question);
        }
    }

    private record Writes(Store store) implements Batching<Write, WriteAnswer> {

        @Override
        public List<WriteAnswer> send(List<Write> questions) {
            return store.write(questions);
        }

        @Override
        public Lookup lookup(Write question) {
            return question.claim().lookup();
        }

        @Override
        public long bytes(Write question) {
            return ROW_OVERHEAD
                    + switch (question) {
                        case Write.Complete complete -> size(complete.outcome());
                        case Write.Checkpoint checkpoint -> size(checkpoint.carried());
                        default -> 0;
                    };
        }

        private static long size(Optional<Payload> payload) {
            return payload.map(p -> (long) p.size()).orElse(0L);
        }

        /** An old claim's late write and the new claim's own may meet here: each must be judged by its own fence. */
        @Override
        public boolean hasSameAnswer(Write leader, Write follower) {
            return leader.equals(follower);
        }

        @Override
        public WriteAnswer answerForDuplicate(WriteAnswer leaderAnswer) {
            return leaderAnswer;
        }

        @Override
        public void onUnclaimedAnswer(WriteAnswer answer) {
            // The record tells: whoever gave up reads it, or the next retry does.
        }
    }

    private record Reads(Store store) implements Batching<Identity, Optional<StoredRecord>> {

        @Override
        public List<Optional<StoredRecord>> send(List<Identity> questions) {
            return store.find(questions);
        }

        @Override
        public Lookup lookup(Identity question) {
            return question.hash();
        }

        @Override
        public long bytes(Identity question) {
            return ROW_OVERHEAD;
        }

        @Override
        public boolean hasSameAnswer(Identity leader, Identity follower) {
            return leader.equals(follower);
        }

        @Override
        public Optional<StoredRecord> answerForDuplicate(Optional<StoredRecord> leaderAnswer) {
            return leaderAnswer;
        }

        @Override
        public void onUnclaimedAnswer(Optional<StoredRecord> answer) {
            // Nothing was changed by reading.
        }
    }
}
