package dev.refrain.internal.batch;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.KeyHash;
import dev.refrain.api.Payload;
import dev.refrain.api.ScopedKey;
import dev.refrain.observe.RefrainListener;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.WriteResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** The ways to one store: claims, writes, renewals and reads each have their own, so none waits behind another. */
public final class BatchedStoreClient {

    private static final long BYTES = 4 << 20;
    private static final int ROW_OVERHEAD = 256;
    private static final Duration LOCKED_PAUSE = Duration.ofMillis(100);
    private static final Duration TIDY_STEP = Duration.ofMillis(20);

    private final ExecutionEnvironment environment;
    private final AtomicInteger tidying = new AtomicInteger();
    private final StoreBatcher<ClaimRequest, ClaimResponse> claims;
    private final StoreBatcher<RecordWrite, WriteResponse> writes;
    private final StoreBatcher<RecordWrite, WriteResponse> renewals;
    private final StoreBatcher<ScopedKey, ReadAnswer> reads;

    /** @param orphans hears of a claim that was acquired for an asker who had given up waiting */
    public BatchedStoreClient(
            Store store, ExecutionEnvironment environment, RefrainListener listener, Consumer<ClaimRef> orphans) {
        this.environment = environment;
        var limits = store.traits().limits();
        var one = new StoreBatcher.BatchLimits(limits.batchRows(), BYTES, limits.concurrentBatches());
        var turns = new BatchTurnQueue();
        claims = new StoreBatcher<>(
                "claims", new ClaimStrategy(store, orphans, this::releaseLater), one, turns, environment, listener);
        writes = new StoreBatcher<>("writes", new WriteStrategy(store), one, turns, environment, listener);
        renewals = new StoreBatcher<>(
                "renewals", new WriteStrategy(store), one, new BatchTurnQueue(), environment, listener);
        reads = new StoreBatcher<>("reads", new ReadStrategy(store), one, new BatchTurnQueue(), environment, listener);
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

    public ClaimResponse claim(ClaimRequest request, Duration patience) {
        return claims.send(request, patience);
    }

    public WriteResponse write(RecordWrite write, Duration patience) {
        return writes.send(write, patience);
    }

    public WriteResponse renew(RecordWrite.Renew renewal, Duration patience) {
        return renewals.send(renewal, patience);
    }

    public Optional<StoredRecord> find(ScopedKey identity, Duration patience) {
        return reads.send(identity, patience).record();
    }

    /**
     * The reply was lost and its asker gave up: if the claim was made, nothing has run under it, so it is given back rather
     * than left to its lease, and with {@code HOLD} to a person. Only its asker knew the nonce, so only it can be meant.
     */
    void releaseIfClaimed(ClaimRequest request) {
        try {
            var made = find(request.identity(), request.lease())
                    .filter(r ->
                            r.state() == RecordState.IN_PROGRESS && r.owner().equals(request.nonce()));
            if (made.isPresent()) {
                writeRetryingLocks(new RecordWrite.Release(made.get().claim()), request.lease());
            }
        } catch (StoreException stillAway) {
            // Then its lease runs out, and the sweeper settles it. The lane has reported the failure.
        }
    }

    /** As {@link #write}, and a row that someone has locked is no reason to give up before the patience is over. */
    public WriteResponse writeRetryingLocks(RecordWrite write, Duration patience) {
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

    private record ClaimStrategy(Store store, Consumer<ClaimRef> orphans, Consumer<ClaimRequest> unheardOf)
            implements BatchStrategy<ClaimRequest, ClaimResponse> {

        @Override
        public List<ClaimResponse> send(List<ClaimRequest> questions) {
            return store.claim(questions);
        }

        @Override
        public Optional<StoreException> failureOf(ClaimResponse answer) {
            return answer instanceof ClaimResponse.Failed failed ? Optional.of(failed.failure()) : Optional.empty();
        }

        @Override
        public KeyHash lookup(ClaimRequest question) {
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
        public ClaimResponse answerForDuplicate(ClaimResponse leaderAnswer) {
            return leaderAnswer instanceof ClaimResponse.Acquired acquired
                    ? new ClaimResponse.Found(acquired.record())
                    : leaderAnswer;
        }

        @Override
        public void onUnclaimedAnswer(ClaimResponse answer) {
            if (answer instanceof ClaimResponse.Acquired acquired) {
                orphans.accept(acquired.record().claim());
            }
        }

        @Override
        public void onLostReply(ClaimRequest question) {
            unheardOf.accept(question);
        }
    }

    private record WriteStrategy(Store store) implements BatchStrategy<RecordWrite, WriteResponse> {

        @Override
        public List<WriteResponse> send(List<RecordWrite> questions) {
            return store.write(questions);
        }

        @Override
        public Optional<StoreException> failureOf(WriteResponse answer) {
            return answer instanceof WriteResponse.Failed failed ? Optional.of(failed.failure()) : Optional.empty();
        }

        @Override
        public KeyHash lookup(RecordWrite question) {
            return question.claim().lookup();
        }

        @Override
        public long bytes(RecordWrite question) {
            return ROW_OVERHEAD
                    + switch (question) {
                        case RecordWrite.Complete complete -> size(complete.outcome());
                        case RecordWrite.Checkpoint checkpoint -> size(checkpoint.carried());
                        default -> 0;
                    };
        }

        private static long size(Optional<Payload> payload) {
            return payload.map(p -> (long) p.size()).orElse(0L);
        }

        /** An old claim's late write and the new claim's own may meet here: each must be judged by its own fence. */
        @Override
        public boolean hasSameAnswer(RecordWrite leader, RecordWrite follower) {
            return leader.equals(follower);
        }

        @Override
        public WriteResponse answerForDuplicate(WriteResponse leaderAnswer) {
            return leaderAnswer;
        }

        @Override
        public void onUnclaimedAnswer(WriteResponse answer) {
            // The record tells: whoever gave up reads it, or the next retry does.
        }
    }

    /** What was read of one identity, or why it could not be. */
    private record ReadAnswer(Optional<StoredRecord> record, Optional<StoreException> failure) {

        static ReadAnswer of(Optional<StoredRecord> record) {
            return new ReadAnswer(record, Optional.empty());
        }
    }

    private record ReadStrategy(Store store) implements BatchStrategy<ScopedKey, ReadAnswer> {

        /** A record that cannot be read fails the call; nothing was changed, so each is read by itself then. */
        @Override
        public List<ReadAnswer> send(List<ScopedKey> questions) {
            try {
                return store.find(questions).stream().map(ReadAnswer::of).toList();
            } catch (RowRejectedException oneOfThem) {
                return questions.stream().map(this::readAlone).toList();
            }
        }

        private ReadAnswer readAlone(ScopedKey question) {
            try {
                return ReadAnswer.of(store.find(List.of(question)).getFirst());
            } catch (RowRejectedException unreadable) {
                return new ReadAnswer(Optional.empty(), Optional.of(unreadable));
            }
        }

        @Override
        public Optional<StoreException> failureOf(ReadAnswer answer) {
            return answer.failure();
        }

        @Override
        public KeyHash lookup(ScopedKey question) {
            return question.hash();
        }

        @Override
        public long bytes(ScopedKey question) {
            return ROW_OVERHEAD;
        }

        @Override
        public boolean hasSameAnswer(ScopedKey leader, ScopedKey follower) {
            return leader.equals(follower);
        }

        @Override
        public ReadAnswer answerForDuplicate(ReadAnswer leaderAnswer) {
            return leaderAnswer;
        }

        @Override
        public void onUnclaimedAnswer(ReadAnswer answer) {
            // Nothing was changed by reading.
        }
    }
}
