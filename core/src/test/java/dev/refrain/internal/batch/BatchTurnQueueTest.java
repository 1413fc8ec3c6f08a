package dev.refrain.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.api.KeyHash;
import dev.refrain.observe.RefrainListener;
import dev.refrain.testing.BackgroundCall;
import dev.refrain.testing.ManualEnvironment;
import dev.refrain.testing.ThreadGate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Two batchers of one store, each crowded. */
class BatchTurnQueueTest {

    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final int CROWD = 8;

    private final ManualEnvironment environment = new ManualEnvironment();
    private final BatchTurnQueue turns = new BatchTurnQueue();
    private final BlockingBatchStrategy first = new BlockingBatchStrategy();
    private final BlockingBatchStrategy second = new BlockingBatchStrategy();
    private final StoreBatcher<Integer, Integer> firstBatcher = batcher(first);
    private final StoreBatcher<Integer, Integer> secondBatcher = batcher(second);

    private StoreBatcher<Integer, Integer> batcher(BlockingBatchStrategy desk) {
        return batcher(desk, 256);
    }

    private StoreBatcher<Integer, Integer> batcher(BlockingBatchStrategy desk, int rows) {
        return new StoreBatcher<>(
                "desk",
                desk,
                new StoreBatcher.BatchLimits(rows, 1 << 20, 1),
                turns,
                environment,
                RefrainListener.none());
    }

    /** Answers with the question, batch by batch, each behind the next gate if there is one. */
    private static final class BlockingBatchStrategy implements BatchStrategy<Integer, Integer> {
        final ConcurrentLinkedQueue<ThreadGate> gates = new ConcurrentLinkedQueue<>();
        final List<Integer> batches = new CopyOnWriteArrayList<>();
        volatile boolean refuses;

        @Override
        public List<Integer> send(List<Integer> questions) {
            batches.add(questions.size());
            var gate = gates.poll();
            if (gate != null) {
                gate.pass();
            }
            return questions;
        }

        ThreadGate gate() {
            var gate = new ThreadGate();
            gates.add(gate);
            return gate;
        }

        @Override
        public java.util.Optional<dev.refrain.store.StoreException> failureOf(Integer answer) {
            return java.util.Optional.empty();
        }

        @Override
        public KeyHash lookup(Integer question) {
            return new KeyHash(question, 0);
        }

        @Override
        public boolean refusesWhenOverloaded() {
            return refuses;
        }

        @Override
        public long bytes(Integer question) {
            return 1;
        }

        @Override
        public boolean hasSameAnswer(Integer leader, Integer follower) {
            return true;
        }

        @Override
        public Integer answerForDuplicate(Integer answer) {
            return answer;
        }
    }

    private static List<BackgroundCall<Integer>> asking(StoreBatcher<Integer, Integer> batcher, int from, int count) {
        var all = new ArrayList<BackgroundCall<Integer>>();
        for (int i = 0; i < count; i++) {
            int question = from + i;
            all.add(BackgroundCall.run(() -> batcher.send(question, PATIENCE)).parked());
        }
        return all;
    }

    /** Lets this batcher have a crowded batch under way, behind the gate that is returned, and another crowd queued. */
    private static ThreadGate crowd(
            StoreBatcher<Integer, Integer> batcher, BlockingBatchStrategy desk, List<BackgroundCall<Integer>> askers) {
        var alone = desk.gate();
        askers.addAll(asking(batcher, 0, 1));
        alone.awaitArrival();
        askers.addAll(asking(batcher, 100, CROWD));
        var crowded = desk.gate();
        alone.open();
        crowded.awaitArrival();
        askers.addAll(asking(batcher, 200, CROWD));
        return crowded;
    }

    @Test
    void crowdedBatcherWaitsForTheBatchOfTheOtherAndItsOwnGrowsMeanwhile() {
        var askers = new ArrayList<BackgroundCall<Integer>>();
        var firstCrowd = crowd(firstBatcher, first, askers);
        var secondCrowd = crowd(secondBatcher, second, askers);
        var itsTurn = first.gate();
        firstCrowd.open();
        itsTurn.awaitArrival();
        secondCrowd.open();
        await().until(() -> askers.stream().filter(BackgroundCall::isDone).count() == 2 * (1 + CROWD));
        askers.addAll(asking(secondBatcher, 300, 3));

        assertThat(second.batches).containsExactly(1, CROWD);
        itsTurn.open();
        askers.forEach(BackgroundCall::get);

        assertThat(second.batches).containsExactly(1, CROWD, CROWD + 3);
    }

    @Test
    void batcherThatIsStuckHoldsUpTheOtherForAMomentOnly() {
        var askers = new ArrayList<BackgroundCall<Integer>>();
        var firstCrowd = crowd(firstBatcher, first, askers);
        var secondCrowd = crowd(secondBatcher, second, askers);
        var stuck = first.gate();
        firstCrowd.open();
        stuck.awaitArrival();
        secondCrowd.open();
        await().until(() -> askers.stream().filter(BackgroundCall::isDone).count() == 2 * (1 + CROWD));
        assertThat(second.batches).containsExactly(1, CROWD);

        environment.advance(Duration.ofMillis(100));
        await().until(() -> second.batches.size() == 3);

        stuck.open();
        askers.forEach(BackgroundCall::get);
    }

    @Test
    void backlogOfWhatMustBeWrittenGoesBeforeWhatMayBeRefused() {
        var claims = new BlockingBatchStrategy();
        claims.refuses = true;
        var claimBatcher = batcher(claims, CROWD);
        var writeBatcher = batcher(second, CROWD);
        var askers = new ArrayList<BackgroundCall<Integer>>();
        var written = crowd(writeBatcher, second, askers);
        var claimed = crowd(claimBatcher, claims, askers);
        var itsTurn = second.gate();
        // Three batches of writes wait, and one of claims.
        askers.addAll(asking(writeBatcher, 300, 2 * CROWD));
        written.open();
        itsTurn.awaitArrival();
        claimed.open();
        await().until(() -> askers.stream().filter(BackgroundCall::isDone).count() == 2 * (1 + CROWD));
        var last = claims.gate();
        itsTurn.open();
        last.awaitArrival();

        assertThat(second.batches).as("all that was done is written").containsExactly(1, CROWD, CROWD, CROWD, CROWD);
        last.open();
        askers.forEach(BackgroundCall::get);
    }

    @Test
    void loneQuestionWaitsForNobody() {
        var askers = new ArrayList<BackgroundCall<Integer>>();
        var firstCrowd = crowd(firstBatcher, first, askers);

        assertThat(secondBatcher.send(1, PATIENCE)).isEqualTo(1);

        firstCrowd.open();
        askers.forEach(BackgroundCall::get);
    }
}
