package dev.refrain;

import static dev.refrain.testing.World.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.observe.Event;
import dev.refrain.run.RunResult;
import dev.refrain.store.TakeOver;
import dev.refrain.testing.Background;
import dev.refrain.testing.Gate;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Someone else was quicker with the same key. */
class SettledMeanwhileTest extends InTransactions {

    /** Someone who does not take the lock, such as a leased run of the same key, gets in between. */
    @Test
    void who_cannot_settle_because_someone_else_did_answers_theirs_and_leaves_nothing() {
        var answer = pay.run(call("x"), (claim, books) -> {
            books.write("mine");
            if (runs.incrementAndGet() == 1) {
                completeMeanwhile("theirs");
            }
            return "mine";
        });

        assertThat(answer).isEqualTo("theirs");
        assertThat(runs).hasValue(1);
        assertThat(transactions.ledger()).isEmpty();
        assertThat(world.events.of(Event.FencedOut.class)).hasSize(1);
        assertThat(world.events.of(Event.Released.class)).isEmpty();
    }

    @Test
    void who_cannot_settle_because_someone_else_runs_is_told_busy_and_leaves_nothing() {
        var gate = new Gate();
        var elsewhere = world.process().operation("pay", String.class).leased(TakeOver.RESUME);
        var other = new AtomicReference<Background<String>>();

        assertThatThrownBy(() -> pay.run(call("x"), (claim, books) -> {
                    books.write("mine");
                    other.set(Background.run(() -> elsewhere.run(SCOPE, "key-1", "x", c -> {
                        gate.pass();
                        return "theirs";
                    })));
                    gate.awaitArrival();
                    return "mine";
                }))
                .isInstanceOf(InProgressException.class);

        assertThat(transactions.ledger()).isEmpty();
        gate.open();
        assertThat(other.get().get()).isEqualTo("theirs");
    }

    @Test
    void who_loses_every_race_is_told_busy_and_does_not_run_for_ever() {
        var result = pay.runForResult(call("x"), (claim, books) -> {
            books.write("mine");
            runs.incrementAndGet();
            assertThatThrownBy(() -> world.process()
                            .operation("pay", String.class)
                            .leased(TakeOver.RESUME)
                            .run(SCOPE, "key-1", "x", c -> {
                                throw new IllegalStateException("and releases");
                            }))
                    .isInstanceOf(IllegalStateException.class);
            return "mine";
        });

        assertThat(result).isInstanceOf(RunResult.StillRunning.class);
        assertThat(runs.get()).isBetween(2, 20);
        assertThat(transactions.ledger()).isEmpty();
    }

    @Test
    void a_released_record_is_continued_under_its_id() {
        assertThatThrownBy(() -> refrain.operation("pay", String.class)
                        .leased(TakeOver.RESUME)
                        .run(SCOPE, "key-1", "x", claim -> {
                            throw new IllegalStateException("released");
                        }))
                .isInstanceOf(IllegalStateException.class);
        var id = world.record("pay", "key-1").orElseThrow().id();

        pay.run(call("x"), (claim, books) -> {
            assertThat(claim.recordId()).isEqualTo(id);
            assertThat(claim.fence()).isEqualTo(2);
            return "done";
        });

        assertThat(world.record("pay", "key-1").orElseThrow().id()).isEqualTo(id);
        assertThat(world.events.only(Event.Resumed.class).fence()).isEqualTo(2);
    }
}
