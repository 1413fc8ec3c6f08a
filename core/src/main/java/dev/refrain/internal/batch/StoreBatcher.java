package dev.refrain.internal.batch;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainListener;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to the store in batches: whatever queued up while the previous batch was in flight.
 *
 * <p>No timer collects a batch: a lone request is sent at once, and under load the batches grow by themselves. Busy batchers
 * share a {@link BatchTurnQueue}, so that they grow further. Each batcher has connections of its own at the store, so claims,
 * completions and renewals cannot starve each other.
 *
 * <p>Rules of a batch:
 *
 * <ol>
 *   <li>A batch has only one request per record. Others get its answer where that is right, and otherwise go into the next batch.
 *   <li>Rows are sorted by primary key and bounded in number and bytes.
 *   <li>An element that the store answers with a failure fails alone. If the failure is transient (the store is too busy), it is
 *       sent again after a pause of its own, which delays no other request.
 *   <li>After a transient failure or a lost reply the batch is sent again, unchanged, until the request's deadline: every request
 *       may be sent twice (see {@link dev.refrain.store.Store}).
 *   <li>Scopes are served in turn. A request that would not be answered by its deadline at the pace of the moment is refused at once, and one
 *       that would be answered too late is not sent while others wait: nothing happened, and nothing is claimed for nobody. Only claims
 *       are refused, only claims and reads are skipped; what was done is always written, and before more is claimed if a full batch of it waits: such a backlog would stay
 *       as long as the load does.
 *   <li>A request that is still queued at its deadline is withdrawn: nothing happened. The caller of one that is in flight then
 *       times out, and {@link BatchStrategy#onUnclaimedAnswer} is called once its answer has arrived or was lost.
 * </ol>
 */
final class StoreBatcher<Q, A> {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(250);
    private static final Duration WATCH = Duration.ofMillis(50);
    private static final long PUT_BACK = -1;

    /** Number of rows from which a batcher counts as busy and takes turns with the others. */
    private static final int CROWD = 8;

    private final String name;
    private final BatchStrategy<Q, A> batching;
    private final BatchLimits limits;
    private final BatchTurnQueue turns;
    private final ExecutionEnvironment environment;
    private final RefrainListener listener;

    private final ReentrantLock lock = new ReentrantLock();
    private final BatchQueue<Q, A> queue;
    private final Set<QueuedRequest<Q, A>> inFlight = new LinkedHashSet<>();
    private final Set<QueuedRequest<Q, A>> pausing = new LinkedHashSet<>();
    private int senders;
    private boolean watched;
    private volatile boolean behind;
    private volatile BatchTurnQueue.@Nullable Turn awaited;
    private final LastStoreFailure lastFailure = new LastStoreFailure();

    /** Limits of one batch, and of concurrent batches. */
    record BatchLimits(int rows, long bytes, int senders) {}

    /**
     * Creates a batcher.
     *
     * @param turns shared with the batchers that send one after the other when they are busy
     */
    StoreBatcher(
            String name,
            BatchStrategy<Q, A> batching,
            BatchLimits limits,
            BatchTurnQueue turns,
            ExecutionEnvironment environment,
            RefrainListener listener) {
        this.name = name;
        this.batching = batching;
        this.limits = limits;
        this.turns = turns;
        this.environment = environment;
        this.listener = listener;
        this.queue = new BatchQueue<>(batching, limits);
    }

    /**
     * Sends a request and waits for the answer. An interrupt does not end the wait: a call in flight continues, and its caller
     * must learn how it ended.
     *
     * @throws StoreException if there is no answer by the deadline
     */
    A send(Q question, Duration patience) {
        var ticket = new QueuedRequest<Q, A>(question, environment.nanoTime() + patience.toNanos());
        boolean inTime;
        lock.lock();
        try {
            inTime = queue.admits(question, patience);
            if (inTime) {
                // The request comes last: without a thread or timer, none is left behind that nobody waits for.
                startSenderIfFree();
                watch();
                queue.add(ticket);
            }
        } finally {
            lock.unlock();
        }
        if (!inTime) {
            throw refusal();
        }
        return ticket.await();
    }

    /**
     * Returns true if a request of this scope would be accepted now. Takes no lock: in a flood it is asked for every call, most of which are
     * refused, and must not delay those that are served.
     */
    boolean hasCapacity(String scope, Duration patience) {
        return lastFailure.isStanding() || queue.admits(scope, patience);
    }

    /** Returns why a request is refused. */
    StoreException refusal() {
        return lastFailure.refusal();
    }

    /** Starts a sender if one is free. Called under the lock, for which the sender waits, so that it sees the request. */
    private void startSenderIfFree() {
        if (senders < limits.senders()) {
            environment.startThread("refrain-" + name, this::send);
            senders++;
        }
    }

    private void send() {
        Duration pause = FIRST_PAUSE;
        int rows = 0;
        while (true) {
            List<QueuedRequest<Q, A>> batch;
            long answered;
            try (var turn = rows < CROWD ? turns.skipQueue() : turns.next()) {
                await(turn);
                do {
                    batch = next();
                    if (batch.isEmpty()) {
                        return;
                    }
                    rows = batch.size();
                    answered = deliver(batch);
                } while (behind && answered != PUT_BACK);
            }
            if (answered != PUT_BACK) {
                AnswerPickup.await(batch, answered, environment);
                pause = FIRST_PAUSE;
                continue;
            }
            environment.sleep(pause);
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        }
    }

    /** Waits for the turn, but no longer than until the timer fires: a stuck batcher delays no other. */
    private void await(BatchTurnQueue.Turn turn) {
        awaited = turn;
        turn.await();
        awaited = null;
    }

    /** Returns the next batch, in flight from here on; empty when this sender is no longer needed. */
    private List<QueuedRequest<Q, A>> next() {
        var late = new ArrayList<QueuedRequest<Q, A>>();
        lock.lock();
        try {
            var batch = queue.takeBatch(environment.nanoTime(), late);
            behind = queue.isBehind();
            if (batch.isEmpty()) {
                senders--;
            }
            inFlight.addAll(batch);
            return batch;
        } finally {
            lock.unlock();
            late.forEach(ticket -> ticket.fail(refusal()));
        }
    }

    /** Sends a batch and distributes the answers; returns their bytes, or that it failed and its requests went back to the queue. */
    private long deliver(List<QueuedRequest<Q, A>> batch) {
        try {
            long begun = environment.nanoTime();
            long bytes = sendAndAnswer(RecordGroup.of(batching, batch));
            landed(batch);
            learn(begun, batch.size());
            return bytes;
        } catch (StoreException e) {
            return e.isTransient() ? putBack(batch, e) : fail(batch, e);
        } catch (RuntimeException | Error e) {
            // A bug of the store must neither leave callers waiting for ever nor end this sender.
            return fail(
                    batch,
                    StoreException.permanent("The store failed with an undeclared exception.", Effect.UNKNOWN, e));
        }
    }

    /** Sends the first request of each group, distributes the answers, and returns their bytes. */
    private long sendAndAnswer(List<RecordGroup<Q, A>> groups) {
        long begun = environment.nanoTime();
        var answers = batching.send(
                groups.stream().map(group -> group.leader().question).toList());
        if (answers.size() != groups.size()) {
            throw new IllegalStateException(
                    groups.size() + " requests were sent, but " + answers.size() + " answers returned.");
        }
        lastFailure.clear();
        listener.onEvent(
                new RefrainEvent.BatchSent(name, groups.size(), Duration.ofNanos(environment.nanoTime() - begun)));
        long bytes = 0;
        for (int i = 0; i < groups.size(); i++) {
            var answer = answers.get(i);
            bytes += batching.answerBytes(answer);
            var failure = batching.failureOf(answer);
            if (failure.isPresent()) {
                failAlone(groups.get(i), failure.get(), batching.isStoreAway(answer));
            } else {
                answerAll(groups.get(i), answer);
            }
        }
        return bytes;
    }

    /** Answers the first request of a group; the others get its answer, or go into the next batch. */
    private void answerAll(RecordGroup<Q, A> group, A answer) {
        answer(group.leader(), answer);
        if (group.requests().size() > 1) {
            group.followers().forEach(follower -> answer(follower, batching.answerForDuplicate(answer)));
            requeue(group.others());
        }
    }

    /**
     * Fails the request that was sent; others about the same record may still succeed. Retrying a locked row is left to its
     * caller.
     */
    private void failAlone(RecordGroup<Q, A> group, StoreException why, boolean storeAway) {
        requeue(group.others());
        var failed = Stream.concat(Stream.of(group.leader()), group.followers().stream())
                .toList();
        if (why.isTransient() && !(why instanceof RowRejectedException)) {
            askLater(failed, why, storeAway);
        } else {
            fail(failed, why);
        }
    }

    /** Sends requests again after a pause; meanwhile they delay nobody and are still withdrawn at their deadline. */
    private void askLater(List<QueuedRequest<Q, A>> tickets, StoreException failure, boolean storeAway) {
        report(tickets, failure, storeAway);
        lock.lock();
        try {
            tickets.forEach(inFlight::remove);
            tickets.stream().filter(t -> !t.isDone()).forEach(pausing::add);
        } finally {
            lock.unlock();
        }
        try {
            environment.schedule(tickets.getFirst().nextPause(FIRST_PAUSE, LONGEST_PAUSE), () -> askAgain(tickets));
        } catch (RuntimeException | Error noTimer) {
            askAgain(tickets);
        }
    }

    private void askAgain(List<QueuedRequest<Q, A>> tickets) {
        lock.lock();
        try {
            var waiting = tickets.stream().filter(pausing::remove).toList();
            if (!waiting.isEmpty()) {
                startSenderIfFree();
                waiting.forEach(queue::add);
            }
        } finally {
            lock.unlock();
        }
    }

    private void answer(QueuedRequest<Q, A> ticket, A answer) {
        if (!ticket.complete(answer)) {
            batching.onUnclaimedAnswer(ticket.question);
        }
    }

    private long fail(List<QueuedRequest<Q, A>> batch, StoreException failure) {
        listener.onEvent(new RefrainEvent.StoreFailed(name, failure));
        tellOfAbandoned(batch, failure);
        batch.forEach(ticket -> ticket.fail(failure));
        landed(batch);
        return 0;
    }

    private long putBack(List<QueuedRequest<Q, A>> batch, StoreException failure) {
        report(batch, failure, true);
        requeue(batch);
        return PUT_BACK;
    }

    /** Reports a failure. Only that of a store that is away explains later refusals: one that was asked is busy, and nobody fails open for that. */
    private void report(List<QueuedRequest<Q, A>> tickets, StoreException failure, boolean storeAway) {
        listener.onEvent(new RefrainEvent.StoreFailed(name, failure));
        if (storeAway) {
            lastFailure.note(failure);
        } else {
            tickets.forEach(ticket -> ticket.markAnswered(failure));
        }
        tellOfAbandoned(tickets, failure);
        if (failure.effect() == Effect.UNKNOWN) {
            tickets.forEach(QueuedRequest::markEffectUnknown);
        }
    }

    /**
     * Reports requests whose callers timed out while they were in flight: those looked for an effect too early, and nobody sends
     * these requests again. Those that were answered run.
     */
    private void tellOfAbandoned(List<QueuedRequest<Q, A>> batch, StoreException failure) {
        if (failure.effect() == Effect.UNKNOWN) {
            batch.stream()
                    .filter(QueuedRequest::isAbandoned)
                    .forEach(ticket -> batching.onUnclaimedAnswer(ticket.question));
        }
    }

    /** Puts requests back at the head of the queue, in order: they have waited longest. */
    private void requeue(List<QueuedRequest<Q, A>> tickets) {
        lock.lock();
        try {
            tickets.forEach(inFlight::remove);
            queue.putBack(tickets);
        } finally {
            lock.unlock();
        }
    }

    /** Ends a flight. Requests that were put back meanwhile may already be in flight again, and stay watched. */
    private void landed(List<QueuedRequest<Q, A>> batch) {
        lock.lock();
        try {
            batch.stream().filter(QueuedRequest::isDone).forEach(inFlight::remove);
        } finally {
            lock.unlock();
        }
    }

    private void learn(long begun, int rows) {
        lock.lock();
        try {
            queue.answered(begun, environment.nanoTime(), rows);
        } finally {
            lock.unlock();
        }
    }

    /** Starts the timer of this batcher, active only while something waits; a timer per request would cost more. */
    private void watch() {
        if (!watched) {
            environment.schedule(WATCH, this::giveUpOverdue);
            watched = true;
        }
    }

    private void giveUpOverdue() {
        List<QueuedRequest<Q, A>> overdue = new ArrayList<>();
        lock.lock();
        try {
            watched = false;
            var turn = awaited;
            if (turn != null) {
                turn.skip();
            }
            long now = environment.nanoTime();
            overdue.addAll(queue.removeOverdue(now));
            pausing.removeIf(ticket -> ticket.overdue(now) && overdue.add(ticket));
            inFlight.stream().filter(ticket -> ticket.overdue(now)).forEach(ticket -> {
                ticket.markEffectUnknown();
                overdue.add(ticket);
            });
            if (!queue.isEmpty() || !inFlight.isEmpty() || !pausing.isEmpty()) {
                watch();
            }
        } finally {
            lock.unlock();
        }
        var cause = lastFailure.get();
        overdue.forEach(ticket -> ticket.expire(cause));
    }
}
