package dev.refrain.internal.batch;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.KeyHash;
import dev.refrain.api.Payload;
import dev.refrain.api.ScopedKey;
import dev.refrain.observe.RefrainListener;
import dev.refrain.store.ClaimOrigin;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoredRecord;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Client of one store with separate batchers for claims, writes, renewals and reads, so that none waits behind another. */
public final class BatchedStoreClient {

    private static final long BYTES = 4 << 20;
    static final int ROW_OVERHEAD = 256;
    private static final long HEAP_PER_ANSWER = 16 << 20;
    private static final int LEAST_ANSWERS = 4;
    private static final String ONE_SCOPE = "";
    private static final Duration LOCKED_PAUSE = Duration.ofMillis(100);
    private static final Duration TIDY_STEP = Duration.ofMillis(20);

    /** How long a claim that nobody runs is looked for; then its lease ends, and the sweeper settles it. */
    private static final Duration RELEASED_WITHIN = Duration.ofMinutes(30);

    private static final Duration LOOKED_AGAIN_AFTER = Duration.ofSeconds(2);

    private final Store store;
    private final ExecutionEnvironment environment;
    private final Consumer<KeyHash> released;
    private final AtomicInteger tidying = new AtomicInteger();
    private final StoreBatcher<ClaimRequest, ClaimResponse> claims;
    private final StoreBatcher<ScopedWrite, RecordWriteResponse> writes;
    private final StoreBatcher<ScopedWrite, RecordWriteResponse> renewals;
    private final StoreBatcher<ScopedKey, RecordReadStrategy.ReadAnswer> reads;

    /**
     * Creates the client.
     *
     * @param released called for each record that was claimed for a caller that timed out, and can be claimed again
     */
    public BatchedStoreClient(
            Store store, ExecutionEnvironment environment, RefrainListener listener, Consumer<KeyHash> released) {
        this.store = store;
        this.environment = environment;
        this.released = released;
        var limits = store.traits().limits();
        var one = new StoreBatcher.BatchLimits(limits.batchRows(), BYTES, limits.concurrentBatches());
        var answered = new StoreBatcher.BatchLimits(
                Math.min(limits.batchRows(), mostAnswers()), BYTES, limits.concurrentBatches());
        var turns = new BatchTurnQueue();
        claims = new StoreBatcher<>(
                "claims", new ClaimStrategy(store, this::releaseLater), answered, turns, environment, listener);
        writes = new StoreBatcher<>("writes", new WriteStrategy(store), one, turns, environment, listener);
        renewals = new StoreBatcher<>(
                "renewals", new WriteStrategy(store), one, new BatchTurnQueue(), environment, listener);
        reads = new StoreBatcher<>(
                "reads", new RecordReadStrategy(store), answered, new BatchTurnQueue(), environment, listener);
    }

    /**
     * Returns how many claims or reads a batch may have: each may be answered with a stored outcome, usually of 1 MiB at most, and all of a batch
     * are loaded at once. They must fit into a sixteenth of the heap.
     */
    private static int mostAnswers() {
        return Math.clamp(Runtime.getRuntime().maxMemory() / HEAP_PER_ANSWER, LEAST_ANSWERS, Integer.MAX_VALUE);
    }

    /** Releases in the background a claim that may have been made for a caller that timed out. */
    public void releaseLater(ClaimRequest request) {
        runInBackground(() -> releaseIfClaimed(request));
    }

    /** Tells the store in the background of steps that an operation asked for first. */
    public void addStepsLater(ClaimOrigin origin) {
        try {
            runInBackground(() -> {
                try {
                    store.addSteps(origin);
                } catch (StoreException away) {
                    // The next claim of the operation carries them.
                }
            });
        } catch (RuntimeException | Error noThread) {
            // A hint: the work that asked for the key must not fail because of it.
        }
    }

    /** Runs a task that nobody waits for, but that should be done before this instance ends. */
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

    /** Waits up to this time until the tasks of {@link #runInBackground} are done; returns whether they are. */
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

    /** @throws dev.refrain.store.StoreOverloadedException if a claim of this scope would be refused now */
    public void requireCapacity(String scope, Duration patience) {
        if (!claims.hasCapacity(scope, patience)) {
            throw claims.refusal();
        }
    }

    /** Returns true if a claim of this scope would be accepted now. */
    public boolean hasCapacity(String scope, Duration patience) {
        return claims.hasCapacity(scope, patience);
    }

    public ClaimResponse claim(ClaimRequest request, Duration patience) {
        return claims.send(request, patience);
    }

    public RecordWriteResponse write(String scope, RecordWrite write, Duration patience) {
        return writes.send(new ScopedWrite(scope, write), patience);
    }

    public Optional<StoredRecord> find(ScopedKey identity, Duration patience) {
        return reads.send(identity, patience).record();
    }

    /**
     * Releases the claim of a caller that timed out, if it was made. Nothing has run under it, so it is not left to its lease or,
     * with {@code HOLD}, to a person. Only that caller knew the nonce, so no other claim can be meant.
     *
     * <p>Looks for it until the store answers. A store that fell silent may make the claim long after its caller has gone, and even after the
     * first look; so it is looked for once more.
     */
    private void releaseIfClaimed(ClaimRequest request) {
        long giveUp = environment.nanoTime() + RELEASED_WITHIN.toNanos();
        boolean wasAway = false;
        while (environment.nanoTime() - giveUp < 0) {
            long asked = environment.nanoTime();
            try {
                if (release(request)) {
                    return;
                }
            } catch (StoreException stillAway) {
                // The batcher has reported the failure.
                if (!stillAway.isTransient()) {
                    return;
                }
                wasAway = true;
                environment.sleep(LOOKED_AGAIN_AFTER);
                continue;
            }
            wasAway |= environment.nanoTime() - asked > LOOKED_AGAIN_AFTER.toNanos();
            if (!wasAway) {
                return;
            }
            wasAway = false;
            environment.sleep(LOOKED_AGAIN_AFTER);
        }
    }

    private boolean release(ClaimRequest request) {
        var made = find(request.identity(), request.lease())
                .filter(r -> r.state() == RecordState.IN_PROGRESS && r.owner().equals(request.nonce()));
        if (made.isPresent()) {
            var release = new RecordWrite.Release(made.get().claim());
            retryingLocks(writes, new ScopedWrite(request.identity().scope(), release), request.lease());
            released.accept(request.lookup());
        }
        return made.isPresent();
    }

    /** Renews a lease, and retries a locked row until the timeout. */
    public RecordWriteResponse renew(RecordWrite.Renew renewal, Duration patience) {
        return retryingLocks(renewals, new ScopedWrite(ONE_SCOPE, renewal), patience);
    }

    private RecordWriteResponse retryingLocks(
            StoreBatcher<ScopedWrite, RecordWriteResponse> batcher, ScopedWrite write, Duration patience) {
        long deadline = environment.nanoTime() + patience.toNanos();
        while (true) {
            var left = Duration.ofNanos(deadline - environment.nanoTime());
            try {
                return batcher.send(write, left);
            } catch (RowRejectedException e) {
                if (!e.isTransient() || !left.isPositive()) {
                    throw e;
                }
                environment.sleep(LOCKED_PAUSE);
            }
        }
    }

    private record ClaimStrategy(Store store, Consumer<ClaimRequest> giveBack)
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
        public boolean isStoreAway(ClaimResponse answer) {
            return answer instanceof ClaimResponse.Failed failed && failed.storeAway();
        }

        @Override
        public KeyHash lookup(ClaimRequest question) {
            return question.lookup();
        }

        @Override
        public String scope(ClaimRequest question) {
            return question.identity().scope();
        }

        @Override
        public boolean refusesWhenOverloaded() {
            return true;
        }

        @Override
        public long bytes(ClaimRequest question) {
            return ROW_OVERHEAD + size(question.request()) + size(question.keptRequest());
        }

        @Override
        public long answerBytes(ClaimResponse answer) {
            return answer instanceof ClaimResponse.Found found
                    ? size(found.record().outcome())
                    : 0;
        }

        @Override
        public boolean hasSameAnswer(ClaimRequest leader, ClaimRequest follower) {
            return leader.identity().equals(follower.identity());
        }

        /** Returns in progress for a duplicate of a claim that was just acquired; the core compares its fingerprint. */
        @Override
        public ClaimResponse answerForDuplicate(ClaimResponse leaderAnswer) {
            return leaderAnswer instanceof ClaimResponse.Acquired acquired
                    ? new ClaimResponse.Found(acquired.record())
                    : leaderAnswer;
        }

        @Override
        public void onUnclaimedAnswer(ClaimRequest question) {
            giveBack.accept(question);
        }
    }

    static long size(Optional<Payload> payload) {
        return payload.map(p -> (long) p.size()).orElse(0L);
    }

    /** Write for a record of this scope. */
    private record ScopedWrite(String scope, RecordWrite write) {}

    private record WriteStrategy(Store store) implements BatchStrategy<ScopedWrite, RecordWriteResponse> {

        @Override
        public List<RecordWriteResponse> send(List<ScopedWrite> questions) {
            return store.write(questions.stream().map(ScopedWrite::write).toList());
        }

        @Override
        public Optional<StoreException> failureOf(RecordWriteResponse answer) {
            return answer instanceof RecordWriteResponse.Failed failed
                    ? Optional.of(failed.failure())
                    : Optional.empty();
        }

        @Override
        public KeyHash lookup(ScopedWrite question) {
            return question.write().claim().lookup();
        }

        @Override
        public String scope(ScopedWrite question) {
            return question.scope();
        }

        @Override
        public long bytes(ScopedWrite question) {
            return ROW_OVERHEAD
                    + switch (question.write()) {
                        case RecordWrite.Complete complete -> size(complete.outcome());
                        case RecordWrite.Checkpoint checkpoint -> size(checkpoint.carried());
                        default -> 0;
                    };
        }

        /**
         * Returns false for different fences: the late write of an old claim and that of the new one must each be checked by its
         * own fence.
         */
        @Override
        public boolean hasSameAnswer(ScopedWrite leader, ScopedWrite follower) {
            return leader.write().equals(follower.write());
        }

        @Override
        public RecordWriteResponse answerForDuplicate(RecordWriteResponse leaderAnswer) {
            return leaderAnswer;
        }
    }
}
