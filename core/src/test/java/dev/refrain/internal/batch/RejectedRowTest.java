package dev.refrain.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.refrain.observe.RefrainEvent;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.testing.ThreadGate;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A row that cannot be stored or is locked, in a batch with others. */
class RejectedRowTest extends StoreBatcherTestBase {

    @Test
    void rowThatCannotBeStoredFailsAloneAndTheOthersAreAnswered() {
        var gate = new ThreadGate();
        desk.hold(gate);
        var lone = asking(TestRequest.of(0));
        gate.awaitArrival();
        var all = IntStream.rangeClosed(1, 16)
                .mapToObj(row -> asking(TestRequest.of(row)))
                .toList();
        desk.failRow(11, RowRejectedException.badData("a NUL in row 11", null));
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
        assertThat(desk.batches).hasSize(2);
    }

    @Test
    void rowThatIsRefusedDoesNotDragAlongAnotherWriteToTheSameRecord() {
        var gate = new ThreadGate();
        desk.hold(gate);
        var lone = asking(TestRequest.of(0));
        gate.awaitArrival();
        var bad = asking(TestRequest.of(7, "bad"));
        var good = asking(TestRequest.of(7, "good"));
        desk.failRow(7, RowRejectedException.badData("bad", null));
        gate.open();
        lone.get();

        assertThat(bad.failure()).isInstanceOf(RowRejectedException.class);
        assertThat(good.get()).isEqualTo("7 good");
    }

    @Test
    void lockedRowFailsAtOnceAndIsNotKeptAtTheHeadOfEveryBatch() {
        desk.failRow(1, RowRejectedException.locked("locked", null));

        assertThatThrownBy(() -> batcher.send(TestRequest.of(1), PATIENCE))
                .isInstanceOf(RowRejectedException.class)
                .extracting(e -> ((StoreException) e).isTransient())
                .isEqualTo(true);
        assertThat(batcher.send(TestRequest.of(2), PATIENCE)).isEqualTo("2 ask");
    }

    @Test
    void rowThatTheStoreIsTooBusyForIsAskedAgainAndNobodyWaitsForIt() {
        desk.failRow(1, away(Effect.NONE));
        var throttled = asking(TestRequest.of(1));
        await().until(() -> desk.batches.size() == 1);

        assertThat(batcher.send(TestRequest.of(2), PATIENCE)).isEqualTo("2 ask");
        assertThat(desk.batches).hasSize(2);
        environment.advance(Duration.ofMillis(5));

        assertThat(throttled.get()).isEqualTo("1 ask");
    }

    @Test
    void rowThatTheStoreStaysTooBusyForIsGivenUpAtItsDeadlineWithItsOwnEffect() {
        IntStream.range(0, 50).forEach(i -> desk.failRow(1, away(Effect.NONE)));
        var throttled = asking(TestRequest.of(1));
        await().until(() -> desk.batches.size() == 1);
        for (int i = 0; i < 80; i++) {
            environment.advance(Duration.ofMillis(50));
        }

        assertThat(throttled.failure())
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.effect()).isEqualTo(Effect.NONE));
    }

    @Test
    void rowWhoseReplyWasLostAloneIsInDoubtUntilItIsAnswered() {
        desk.failRow(1, away(Effect.UNKNOWN));
        desk.failRow(1, StoreException.permanent("read-only", Effect.NONE, null));
        var doubtful = asking(TestRequest.of(1));
        await().until(() -> desk.batches.size() == 1);
        await().until(() -> environment.alarms() > 1);
        environment.advance(Duration.ofMillis(5));

        assertThat(doubtful.failure())
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.effect()).isEqualTo(Effect.UNKNOWN));
    }
}
