package dev.refrain.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.observe.RefrainEvent;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoreException;
import dev.refrain.testing.ThreadGate;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A row that cannot be stored or is locked, in a batch with others. */
class RejectedRowTest extends StoreBatcherTestBase {

    @Test
    void aRowThatCannotBeStoredFailsAloneAndTheOthersAreAnswered() {
        var gate = new ThreadGate();
        desk.hold(gate);
        var lone = asking(TestRequest.of(0));
        gate.awaitArrival();
        var all = IntStream.rangeClosed(1, 16)
                .mapToObj(row -> asking(TestRequest.of(row)))
                .toList();
        Function<List<TestRequest>, List<String>> refusesEleven = questions -> {
            if (questions.stream().anyMatch(q -> q.row() == 11)) {
                throw RowRejectedException.badData("a NUL in row 11", null);
            }
            return ScriptedBatchStrategy.answer(questions);
        };
        IntStream.range(0, 20).forEach(i -> desk.script.add(refusesEleven));
        gate.open();
        lone.get();

        var failure = all.get(10).failure();
        assertThat(failure).isInstanceOf(RowRejectedException.class).hasMessage("a NUL in row 11");
        for (int row = 1; row <= 16; row++) {
            if (row != 11) {
                assertThat(all.get(row - 1).get()).isEqualTo(row + " ask");
            }
        }
        assertThat(events.of(RefrainEvent.StoreFailed.class)).hasSize(1);
        assertThat(desk.batches).hasSizeLessThan(12);
    }

    @Test
    void aRowThatIsRefusedDoesNotDragAlongAnotherWriteToTheSameRecord() {
        var gate = new ThreadGate();
        desk.hold(gate);
        var lone = asking(TestRequest.of(0));
        gate.awaitArrival();
        var bad = asking(TestRequest.of(7, "bad"));
        var good = asking(TestRequest.of(7, "good"));
        desk.fail(RowRejectedException.badData("bad", null));
        gate.open();
        lone.get();

        assertThat(bad.failure()).isInstanceOf(RowRejectedException.class);
        assertThat(good.get()).isEqualTo("7 good");
    }

    @Test
    void aRowThatSomeoneElseHasLockedIsToldAtOnceAndNotKeptAtTheHeadOfEveryBatch() {
        desk.fail(RowRejectedException.locked("locked", null));

        assertThatThrownBy(() -> lane.send(TestRequest.of(1), PATIENCE))
                .isInstanceOf(RowRejectedException.class)
                .extracting(e -> ((StoreException) e).isTransient())
                .isEqualTo(true);
        assertThat(lane.send(TestRequest.of(2), PATIENCE)).isEqualTo("2 ask");
    }
}
