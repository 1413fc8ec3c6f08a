package dev.refrain.trials.kills;

import dev.refrain.api.ScopedKey;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.RecordState;
import dev.refrain.store.StoreException;
import dev.refrain.trials.kills.JournalEntry.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/**
 * Finishes a trial with one healthy process: settles every key, by retrying some and leaving others to the sweeper, then settles attention,
 * then uses every key once more.
 */
final class TrialFinisher {

    /** Time after which nothing may be in progress: the lease, the grace, a few rounds of the sweeper, and a minute for a busy machine. */
    private static final Duration BOUND = TrialShop.LEASE
            .plus(TrialShop.CHORES.sweepGracePeriod())
            .plus(TrialShop.CHORES.sweepInterval().multipliedBy(2))
            .plusSeconds(60);

    private static final int AT_ONCE = 8;
    private static final int PAGE = 7;

    private record Ask(TrialMode mode, String key) {
        ScopedKey identity() {
            return new ScopedKey(KeySchedule.SCOPE, mode.operation(), key);
        }

        /** Returns whether this key is left to the sweeper, as half of them are. */
        boolean isLeftToTheSweeper() {
            return key.hashCode() % 2 != 0;
        }
    }

    private final JournaledCaller counter;
    private final List<Ask> all;

    TrialFinisher(JournaledCaller counter, List<String> keys) {
        this.counter = counter;
        this.all =
                keys.stream().map(key -> new Ask(KeySchedule.modeOf(key), key)).toList();
    }

    void run() throws InterruptedException {
        var sweepers = new Thread(this::awaitTheSweeper, "sweepers");
        sweepers.start();
        forEach(all.stream().filter(ask -> !ask.isLeftToTheSweeper()).toList(), this::retryToTheEnd);
        sweepers.join();
        forEach(all, this::retryToTheEnd);
        settleAttention();
        forEach(all, this::retryToTheEnd);
        forEach(all, this::mustBeReplayed);
    }

    /** Waits until the sweeper has settled keys that are in progress, which nobody retries. */
    private void awaitTheSweeper() {
        long deadline = System.nanoTime() + BOUND.toNanos();
        var left = new ArrayList<>(all.stream()
                .filter(Ask::isLeftToTheSweeper)
                .filter(ask -> stateOf(ask) == RecordState.IN_PROGRESS)
                .toList());
        while (!left.isEmpty() && deadline - System.nanoTime() > 0) {
            pause();
            left.removeIf(this::isSwept);
        }
        left.forEach(ask -> note(Kind.WRONG, ask, "stuck in progress: the sweeper left it"));
    }

    private boolean isSwept(Ask ask) {
        var state = stateOf(ask);
        if (state == RecordState.IN_PROGRESS) {
            return false;
        }
        boolean right = state == (ask.mode == TrialMode.HOLD ? RecordState.ATTENTION : RecordState.RELEASED);
        note(right ? Kind.SWEPT : Kind.WRONG, ask, "the sweeper made it " + state);
        return true;
    }

    /** Returns the state of the key's record; a missing one counts as released, because it can be claimed. */
    private RecordState stateOf(Ask ask) {
        try {
            return counter.shop()
                    .operators()
                    .find(ask.identity())
                    .map(r -> r.state())
                    .orElse(RecordState.RELEASED);
        } catch (StoreException away) {
            return RecordState.IN_PROGRESS;
        }
    }

    private void retryToTheEnd(Ask ask) {
        long deadline = System.nanoTime() + BOUND.toNanos();
        while (deadline - System.nanoTime() > 0) {
            var seen = counter.ask(ask.mode, ask.key);
            if (seen.isAnswer() || seen.kind() == Kind.ATTENTION || seen.kind() == Kind.WRONG) {
                return;
            }
            pause();
        }
        note(Kind.WRONG, ask, "stuck: no answer within " + BOUND);
    }

    private void mustBeReplayed(Ask ask) {
        var seen = counter.ask(ask.mode, ask.key);
        if (seen.kind() != Kind.REPLAYED) {
            note(Kind.WRONG, ask, "not replayed at the very end but " + seen);
        }
    }

    /** Settles all keys in attention, and checks that exactly these are listed. */
    private void settleAttention() {
        Set<String> listed = new HashSet<>();
        var desk = new AttentionDesk(counter);
        Optional<AttentionItem> last = Optional.empty();
        List<AttentionItem> page;
        do {
            var admin = counter.shop().operators();
            page = last.map(item -> admin.listAttention(item, PAGE)).orElseGet(() -> admin.listAttention(PAGE));
            for (var item : page) {
                String key = item.identity().key();
                listed.add(key);
                if (TrialMode.ofOperation(item.identity().namespace()) == TrialMode.HOLD) {
                    desk.settle(key, item.claim());
                } else {
                    note(
                            Kind.WRONG,
                            new Ask(TrialMode.ofOperation(item.identity().namespace()), key),
                            "listed " + item);
                }
            }
            last = page.isEmpty() ? last : Optional.of(page.getLast());
        } while (page.size() == PAGE);
        all.stream()
                .filter(ask -> stateOf(ask) == RecordState.ATTENTION && !listed.contains(ask.key))
                .forEach(ask -> note(Kind.WRONG, ask, "in attention, but not listed"));
    }

    private void note(Kind kind, Ask ask, String detail) {
        counter.journal().write(JournalEntry.now(kind, ask.mode, ask.key, detail));
    }

    private static void pause() {
        try {
            Thread.sleep(50);
        } catch (InterruptedException e) {
            throw new IllegalStateException("Nobody interrupts this", e);
        }
    }

    private static void forEach(List<Ask> asks, Consumer<Ask> step) throws InterruptedException {
        var atOnce = new Semaphore(AT_ONCE);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> steps = new ArrayList<>();
            for (var ask : asks) {
                steps.add(threads.submit(() -> {
                    atOnce.acquireUninterruptibly();
                    try {
                        step.accept(ask);
                    } finally {
                        atOnce.release();
                    }
                }));
            }
            for (var one : steps) {
                one.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("Finishing failed", e.getCause());
        }
    }
}
