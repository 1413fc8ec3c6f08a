package dev.refrain.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.observe.Event;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoreException;
import dev.refrain.testing.Gate;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A row that cannot be stored or is locked, in a batch with others. */
class RefusedRowTest extends OnALane {

    @Test
    void a_row_that_cannot_be_stored_fails_alone_and_the_others_are_answered() {
        var gate = new Gate();
        desk.hold(gate);
        var lone = asking(Ask.of(0));
        gate.awaitArrival();
        var all = IntStream.rangeClosed(1, 16)
                .mapToObj(row -> asking(Ask.of(row)))
                .toList();
        Function<List<Ask>, List<String>> refusesEleven = questions -> {
            if (questions.stream().anyMatch(q -> q.row() == 11)) {
                throw RowRejectedException.badData("a NUL in row 11", null);
            }
            return Desk.answer(questions);
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
        assertThat(events.of(Event.StoreFailed.class)).hasSize(1);
        assertThat(desk.batches).hasSizeLessThan(12);
    }

    @Test
    void a_row_that_is_refused_does_not_drag_along_another_write_to_the_same_record() {
        var gate = new Gate();
        desk.hold(gate);
        var lone = asking(Ask.of(0));
        gate.awaitArrival();
        var bad = asking(Ask.of(7, "bad"));
        var good = asking(Ask.of(7, "good"));
        desk.fail(RowRejectedException.badData("bad", null));
        gate.open();
        lone.get();

        assertThat(bad.failure()).isInstanceOf(RowRejectedException.class);
        assertThat(good.get()).isEqualTo("7 good");
    }

    @Test
    void a_row_that_someone_else_has_locked_is_told_at_once_and_not_kept_at_the_head_of_every_batch() {
        desk.fail(RowRejectedException.locked("locked", null));

        assertThatThrownBy(() -> lane.send(Ask.of(1), PATIENCE))
                .isInstanceOf(RowRejectedException.class)
                .extracting(e -> ((StoreException) e).isTransient())
                .isEqualTo(true);
        assertThat(lane.send(Ask.of(2), PATIENCE)).isEqualTo("2 ask");
    }
}
