package dev.refrain.internal.batch;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.KeyHash;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainListener;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A way to the store that sends, in one batch, whatever queued up while the batch before was in flight.
 *
 * <p>No timer collects a batch: a lone question goes out at once, and under load the batches grow by themselves. Crowded
 * lanes take {@link BatchTurnQueue}, so that they grow further. Each lane has connections of its own at the store, so claims,
 * completions and renewals cannot starve each other.
 *
 * <p>The rules of a batch:
 *
 * <ol>
 *   <li>Only one question about a record is in a batch. The others are answered from its answer where that is right, and
 *       otherwise go into the next batch.
 *   <li>Rows are sorted by primary key and bounded in number and bytes.
 *   <li>An element that the store answers with a failure fails alone. If that may pass (the store is too busy for it), it is asked again
 *       after a pause of its own, which nobody else waits for.
 *   <li>A passing failure or a lost reply is asked again, unchanged, until the question's deadline: every question may be
 *       asked twice (see {@link dev.refrain.store.Store}).
 *   <li>A question that is still queued at its deadline is withdrawn: nothing happened. One that is in flight then is given
 *       up by its asker, and {@link BatchStrategy#onUnclaimedAnswer} hears the answer nobody waits for, or {@link BatchStrategy#onLostReply}
 *       that it was lost.
 * </ol>
 */
final class StoreBatcher<Q, A> {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(250);
    private static final Duration WATCH = Duration.ofMillis(50);

    /** From so many rows on, a lane takes turns with the others. */
    private static final int CROWD = 8;

    private final String name;
    private final BatchStrategy<Q, A> batching;
    private final BatchLimits limits;
    private final BatchTurnQueue turns;
    private final ExecutionEnvironment environment;
    private final RefrainListener listener;

    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<QueuedRequest<Q, A>> queue = new ArrayDeque<>();
    private final Set<QueuedRequest<Q, A>> inFlight = new LinkedHashSet<>();
    private final Set<QueuedRequest<Q, A>> pausing = new LinkedHashSet<>();
    private int senders;
    private boolean watched;
    private volatile BatchTurnQueue.@Nullable Turn awaited;
    private volatile @Nullable StoreException lastFailure;

    /** Bounds of one batch, and how many may be in flight at once. */
    record BatchLimits(int rows, long bytes, int senders) {}

    /** @param turns shared with the lanes that send one after the other when they are crowded */
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
    }

    /**
     * Asks, and waits for the answer. An interrupt does not end the waiting: what is under way at the store goes on, and
     * its asker must learn how it ended.
     *
     * @throws StoreException if there is no answer by the deadline
     */
    A send(Q question, Duration patience) {
        var ticket = new QueuedRequest<Q, A>(question, environment.nanoTime() + patience.toNanos());
        lock.lock();
        try {
            // The question last: if no thread or timer can be had, none is left behind that nobody waits for.
            startSenderIfFree();
            watch();
            queue.add(ticket);
        } finally {
            lock.unlock();
        }
        return ticket.await();
    }

    /** Called under the lock, which the sender waits for: it sees what is asked. */
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
            try (var turn = rows < CROWD ? turns.skipQueue() : turns.next()) {
                await(turn);
                var batch = next();
                if (batch.isEmpty()) {
                    return;
                }
                rows = batch.size();
                if (deliver(batch)) {
                    pause = FIRST_PAUSE;
                    continue;
                }
            }
            environment.sleep(pause);
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        }
    }

    /** No longer than until the watch comes by: a lane that is stuck holds up no other. */
    private void await(BatchTurnQueue.Turn turn) {
        awaited = turn;
        turn.await();
        awaited = null;
    }

    /** The next batch, in flight from here on; empty when this sender is no longer needed. */
    private List<QueuedRequest<Q, A>> next() {
        lock.lock();
        try {
            var batch = new ArrayList<QueuedRequest<Q, A>>();
            long bytes = 0;
            while (!queue.isEmpty() && batch.size() < limits.rows()) {
                bytes += batching.bytes(queue.element().question);
                if (bytes > limits.bytes() && !batch.isEmpty()) {
                    break;
                }
                batch.add(queue.remove());
            }
            if (batch.isEmpty()) {
                senders--;
            }
            inFlight.addAll(batch);
            return batch;
        } finally {
            lock.unlock();
        }
    }

    /** Sends a batch and hands out the answers; false if it failed and its questions went back to the queue. */
    private boolean deliver(List<QueuedRequest<Q, A>> batch) {
        try {
            sendAndAnswer(byRecord(batch));
            landed(batch);
            return true;
        } catch (StoreException e) {
            return e.isTransient() ? putBack(batch, e) : fail(batch, e);
        } catch (RuntimeException | Error e) {
            // A defect of the store must neither leave its askers waiting for ever nor end this sender.
            return fail(
                    batch,
                    StoreException.permanent("The store failed in a way it does not declare.", Effect.UNKNOWN, e));
        }
    }

    private void sendAndAnswer(List<List<QueuedRequest<Q, A>>> groups) {
        long begun = environment.nanoTime();
        var answers = batching.send(
                groups.stream().map(group -> group.getFirst().question).toList());
        if (answers.size() != groups.size()) {
            throw new IllegalStateException(
                    groups.size() + " questions were asked and " + answers.size() + " answered.");
        }
        lastFailure = null;
        listener.onEvent(
                new RefrainEvent.BatchSent(name, groups.size(), Duration.ofNanos(environment.nanoTime() - begun)));
        for (int i = 0; i < groups.size(); i++) {
            var answer = answers.get(i);
            var failure = batching.failureOf(answer);
            if (failure.isPresent()) {
                failAlone(groups.get(i), failure.get());
            } else {
                answerAll(groups.get(i), answer);
            }
        }
    }

    /** The batch in the order of the primary key, and together what is about one record. */
    private List<List<QueuedRequest<Q, A>>> byRecord(List<QueuedRequest<Q, A>> batch) {
        var groups = new TreeMap<KeyHash, List<QueuedRequest<Q, A>>>();
        for (var ticket : batch) {
            groups.computeIfAbsent(batching.lookup(ticket.question), lookup -> new ArrayList<>(1))
                    .add(ticket);
        }
        return List.copyOf(groups.values());
    }

    /** The first was asked; the others are answered from its answer, or asked in the next batch. */
    private void answerAll(List<QueuedRequest<Q, A>> group, A answer) {
        var leader = group.getFirst();
        answer(leader, answer);
        if (group.size() == 1) {
            return;
        }
        for (var follower : group.subList(1, group.size())) {
            if (batching.hasSameAnswer(leader.question, follower.question)) {
                answer(follower, batching.answerForDuplicate(answer));
            }
        }
        requeue(mustAskThemselves(group));
    }

    /**
     * The element that was asked failed by itself; others about the same record may not. A row that is locked is its asker's to try
     * again, who may have better to do.
     */
    private void failAlone(List<QueuedRequest<Q, A>> group, StoreException why) {
        var others = mustAskThemselves(group);
        requeue(others);
        var failed = group.stream().filter(t -> !others.contains(t)).toList();
        if (why.isTransient() && !(why instanceof RowRejectedException)) {
            askLater(failed, why);
        } else {
            fail(failed, why);
        }
    }

    /** While they pause they are in nobody's way, and still withdrawn at their deadline. */
    private void askLater(List<QueuedRequest<Q, A>> tickets, StoreException failure) {
        report(tickets, failure);
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
                queue.addAll(waiting);
            }
        } finally {
            lock.unlock();
        }
    }

    private List<QueuedRequest<Q, A>> mustAskThemselves(List<QueuedRequest<Q, A>> group) {
        var leader = group.getFirst();
        return group.stream()
                .filter(t -> t != leader && !batching.hasSameAnswer(leader.question, t.question))
                .toList();
    }

    private void answer(QueuedRequest<Q, A> ticket, A answer) {
        if (!ticket.complete(answer)) {
            batching.onUnclaimedAnswer(answer);
        }
    }

    private boolean fail(List<QueuedRequest<Q, A>> batch, StoreException failure) {
        listener.onEvent(new RefrainEvent.StoreFailed(name, failure));
        tellOfUnheard(batch, failure);
        batch.forEach(ticket -> ticket.fail(failure));
        landed(batch);
        return true;
    }

    private boolean putBack(List<QueuedRequest<Q, A>> batch, StoreException failure) {
        report(batch, failure);
        requeue(batch);
        return false;
    }

    private void report(List<QueuedRequest<Q, A>> tickets, StoreException failure) {
        listener.onEvent(new RefrainEvent.StoreFailed(name, failure));
        lastFailure = failure;
        tellOfUnheard(tickets, failure);
        if (failure.effect() == Effect.UNKNOWN) {
            tickets.forEach(QueuedRequest::markEffectUnknown);
        }
    }

    /** Whoever gave up while it was in flight looked for its effect too early, and nobody asks this question again. */
    private void tellOfUnheard(List<QueuedRequest<Q, A>> batch, StoreException failure) {
        if (failure.effect() == Effect.UNKNOWN) {
            batch.stream().filter(QueuedRequest::isDone).forEach(ticket -> batching.onLostReply(ticket.question));
        }
    }

    /** To the head of the queue, in order: these have waited longest. */
    private void requeue(List<QueuedRequest<Q, A>> tickets) {
        lock.lock();
        try {
            tickets.forEach(inFlight::remove);
            tickets.reversed().stream().filter(t -> !t.isDone()).forEach(queue::addFirst);
        } finally {
            lock.unlock();
        }
    }

    /** Those that were put back meanwhile may already be in flight again, and stay watched. */
    private void landed(List<QueuedRequest<Q, A>> batch) {
        lock.lock();
        try {
            batch.stream().filter(QueuedRequest::isDone).forEach(inFlight::remove);
        } finally {
            lock.unlock();
        }
    }

    /** One timer for the whole lane, alive only while something waits; a timer for each question would cost more. */
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
            queue.removeIf(ticket -> ticket.overdue(now) && overdue.add(ticket));
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
        var cause = lastFailure;
        overdue.forEach(ticket -> ticket.fail(StoreException.unavailable(
                "The store did not answer in time" + (cause == null ? "." : ": " + cause.getMessage()),
                ticket.effect(),
                cause)));
    }
}
