package dev.refrain.internal.batch;

import static dev.refrain.testing.AwaitCondition.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.testing.BackgroundCall;
import dev.refrain.testing.ThreadGate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rules of a batch, one by one. */
class StoreBatcherTest extends StoreBatcherTestBase {

    @Test
    void loneQuestionGoesAtOnceWithoutAnyTimer() {
        assertThat(batcher.send(TestRequest.of(1), PATIENCE)).isEqualTo("1 ask");

        assertThat(environment.nanoTime()).isZero();
        assertThat(desk.batches).containsExactly(List.of(TestRequest.of(1)));
    }

    @Test
    void questionsDuringABatchGoTogetherInTheNext() {
        var first = new ThreadGate();
        desk.hold(first);
        var lone = asking(TestRequest.of(9));
        first.awaitArrival();
        var queued = IntStream.of(3, 1, 2)
                .mapToObj(row -> asking(TestRequest.of(row)))
                .toList();

        first.open();

        assertThat(lone.get()).isEqualTo("9 ask");
        assertThat(queued.stream().map(BackgroundCall::get)).containsExactly("3 ask", "1 ask", "2 ask");
        assertThat(desk.batches).hasSize(2);
    }

    @Test
    void rowsGoInTheOrderOfThePrimaryKeySoThatTwoBatchesNeverLockInOppositeOrders() {
        var gate = new ThreadGate();
        desk.hold(gate);
        var all = new ArrayList<BackgroundCall<String>>();
        all.add(asking(TestRequest.of(0)));
        gate.awaitArrival();
        IntStream.of(5, 2, 9, 1).forEach(row -> all.add(asking(TestRequest.of(row))));
        gate.open();
        all.forEach(BackgroundCall::get);

        assertThat(desk.batches.get(1)).extracting(TestRequest::row).containsExactly(1, 2, 5, 9);
    }

    @Test
    void batchIsBoundedInRows() {
        var bounded = batcher(new StoreBatcher.BatchLimits(3, 1 << 20, 1));
        var gate = new ThreadGate();
        desk.hold(gate);
        var all = new ArrayList<BackgroundCall<String>>();
        all.add(asking(bounded, TestRequest.of(0)));
        gate.awaitArrival();
        IntStream.rangeClosed(1, 7).forEach(row -> all.add(asking(bounded, TestRequest.of(row))));
        gate.open();
        all.forEach(BackgroundCall::get);

        assertThat(desk.batches).extracting(List::size).containsExactly(1, 3, 3, 1);
    }

    @Test
    void batchIsBoundedInBytesAndOneQuestionOverTheBoundGoesAlone() {
        var bounded = batcher(new StoreBatcher.BatchLimits(256, 10, 1));
        var gate = new ThreadGate();
        desk.hold(gate);
        var all = new ArrayList<BackgroundCall<String>>();
        all.add(asking(bounded, TestRequest.of(0)));
        gate.awaitArrival();
        for (var ask : List.of(
                new TestRequest(1, "a", 6),
                new TestRequest(2, "b", 4),
                new TestRequest(3, "c", 99),
                new TestRequest(4, "d", 6))) {
            all.add(asking(bounded, ask));
        }
        gate.open();
        all.forEach(BackgroundCall::get);

        assertThat(desk.batches)
                .extracting(b -> b.stream().map(TestRequest::row).toList())
                .containsExactly(List.of(0), List.of(1, 2), List.of(3), List.of(4));
    }

    @Test
    void equalQuestionsAboutOneRecordAreAskedOnce() {
        var gate = new ThreadGate();
        desk.hold(gate);
        var lone = asking(TestRequest.of(0));
        gate.awaitArrival();
        var twins =
                IntStream.range(0, 3).mapToObj(i -> asking(TestRequest.of(7))).toList();
        gate.open();
        lone.get();

        assertThat(twins.stream().map(BackgroundCall::get)).containsExactly("7 ask", "7 ask (too)", "7 ask (too)");
        assertThat(desk.batches.get(1)).containsExactly(TestRequest.of(7));
    }

    @Test
    void unlikeQuestionsAboutOneRecordAreNeverInOneBatchAndEachIsAsked() {
        var gate = new ThreadGate();
        desk.hold(gate);
        var lone = asking(TestRequest.of(0));
        gate.awaitArrival();
        var old = asking(TestRequest.of(7, "old"));
        var young = asking(TestRequest.of(7, "new"));
        var other = asking(TestRequest.of(8));
        gate.open();
        lone.get();

        assertThat(List.of(old.get(), young.get(), other.get())).containsExactly("7 old", "7 new", "8 ask");
        assertThat(desk.batches.subList(1, 3))
                .containsExactly(
                        List.of(TestRequest.of(7, "old"), TestRequest.of(8)), List.of(TestRequest.of(7, "new")));
    }

    @Test
    void idleBatcherKeepsNoTimer() {
        batcher.send(TestRequest.of(1), PATIENCE);

        until(() -> {
            environment.advance(Duration.ofMillis(50));
            return environment.alarms() == 0;
        });
    }

    @Test
    void severalSendersKeepSeveralBatchesInFlightAndAllAreAnswered() {
        var wide = batcher(new StoreBatcher.BatchLimits(1, 100, 3));
        var gates = IntStream.range(0, 3).mapToObj(i -> new ThreadGate()).toList();
        gates.forEach(desk::hold);
        var all = IntStream.range(0, 5)
                .mapToObj(row -> asking(wide, TestRequest.of(row)))
                .toList();
        gates.forEach(ThreadGate::awaitArrival);

        gates.forEach(ThreadGate::open);

        assertThat(all.stream().map(BackgroundCall::get)).hasSize(5);
    }

    @Test
    void thousandsOfAskersAreAllAnsweredRightlyInFewBatches() {
        var real =
                new StoreBatcher<>("desk", desk, LIMITS, new BatchTurnQueue(), ExecutionEnvironment.system(), events);
        int askers = 5_000;
        var gate = new ThreadGate();
        desk.hold(gate);

        var came = new AtomicInteger();
        var all = IntStream.range(0, askers)
                .mapToObj(row -> BackgroundCall.run(() -> {
                    came.incrementAndGet();
                    return real.send(TestRequest.of(row % 2_500), Duration.ofSeconds(20));
                }))
                .toList();
        until(() -> came.get() == askers);
        gate.open();

        Set<String> answers = new HashSet<>();
        for (int row = 0; row < askers; row++) {
            String answer = all.get(row).get();
            assertThat(answer).startsWith(row % 2_500 + " ask");
            answers.add(answer);
        }
        assertThat(answers).hasSizeGreaterThanOrEqualTo(2_500);
        assertThat(desk.batches).hasSizeLessThan(200).allMatch(b -> b.size() <= LIMITS.rows());
        assertThat(desk.batches)
                .allSatisfy(b -> assertThat(b).extracting(TestRequest::row).isSorted());
        assertThat(desk.batches)
                .allSatisfy(b -> assertThat(b).extracting(TestRequest::row).doesNotHaveDuplicates());
    }
}
