package dev.refrain.batch;

import static dev.refrain.testing.Until.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.testing.Background;
import dev.refrain.testing.Gate;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Whoever asks waits so long and no longer. */
class LaneDeadlineTest extends OnALane {

    @Test
    void after_the_deadline_a_question_that_never_left_the_queue_is_withdrawn_and_nothing_happened() {
        var gate = new Gate();
        desk.hold(gate);
        var inFlight = asking(Ask.of(1));
        gate.awaitArrival();
        var queued = asking(Ask.of(2));

        environment.advance(PATIENCE.plusMillis(100));

        assertThat(queued.failure())
                .isInstanceOf(StoreException.class)
                .extracting(e -> ((StoreException) e).effect())
                .isEqualTo(Effect.NONE);
        assertThat(inFlight.failure())
                .isInstanceOf(StoreException.class)
                .extracting(e -> ((StoreException) e).effect())
                .isEqualTo(Effect.UNKNOWN);
        gate.open();
        assertThat(lane.send(Ask.of(3), PATIENCE)).isEqualTo("3 ask");
        assertThat(desk.batches).as("the withdrawn one was never sent").noneMatch(b -> b.contains(Ask.of(2)));
    }

    @Test
    void the_answer_that_nobody_waits_for_any_more_is_handed_to_whoever_tidies_up() {
        var gate = new Gate();
        desk.hold(gate);
        var asked = asking(Ask.of(1));
        gate.awaitArrival();
        environment.advance(PATIENCE.plusMillis(100));
        asked.failure();

        gate.open();

        until(() -> desk.abandoned.contains("1 ask"));
    }

    @Test
    void a_question_whose_first_reply_was_lost_may_have_happened_even_if_later_tries_never_got_out() {
        desk.fail(away(Effect.UNKNOWN));
        IntStream.range(0, 500).forEach(i -> desk.fail(away(Effect.NONE)));
        var asked = asking(Ask.of(1));

        until(() -> {
            environment.advance(Duration.ofMillis(50));
            return asked.isDone();
        });

        assertThat(asked.failure())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("away")
                .extracting(e -> ((StoreException) e).effect())
                .isEqualTo(Effect.UNKNOWN);
    }

    @Test
    void a_lost_reply_is_not_forgotten_when_the_store_then_refuses() {
        desk.fail(away(Effect.UNKNOWN));
        desk.fail(StoreException.permanent("read-only", Effect.NONE, null));
        var asked = asking(Ask.of(1));

        until(() -> {
            environment.advance(Duration.ofMillis(5));
            return asked.isDone();
        });

        var failure = (StoreException) asked.failure();
        assertThat(failure.effect()).isEqualTo(Effect.UNKNOWN);
        assertThat(failure.isTransient()).isFalse();
        assertThat(failure).hasMessageContaining("read-only");
    }

    @Test
    void an_interrupt_does_not_end_the_waiting_and_is_not_lost() {
        var gate = new Gate();
        desk.hold(gate);
        var asked = Background.run(() -> {
            String answer = lane.send(Ask.of(1), PATIENCE);
            return answer + ", interrupted: " + Thread.currentThread().isInterrupted();
        });
        gate.awaitArrival();

        asked.parked().interrupt();
        asked.parked();
        gate.open();

        assertThat(asked.get()).isEqualTo("1 ask, interrupted: true");
    }

    @Test
    void a_question_that_another_sender_took_over_meanwhile_is_still_given_up_at_its_deadline() {
        var wide = lane(new Lane.Limits(100, 100, 2));
        var answering = new Gate();
        desk.whileAnsweringFollowers = answering;
        var first = new Gate();
        desk.hold(first);
        asking(wide, Ask.of(0));
        first.awaitArrival();
        // The next batch is answered in part and then dwells; the question put back from it goes out with another
        // sender.
        var second = new Gate();
        desk.hold(second);
        asking(wide, Ask.of(1));
        second.awaitArrival();
        asking(wide, Ask.of(7, "old"));
        var putBack = asking(wide, Ask.of(7, "new"));
        asking(wide, Ask.of(8));
        asking(wide, Ask.of(8));
        first.open();
        answering.awaitArrival();
        var stuck = new Gate();
        desk.hold(stuck);
        second.open();
        stuck.awaitArrival();
        assertThat(desk.batches.getLast()).containsExactly(Ask.of(7, "new"));
        answering.open();

        environment.advance(PATIENCE.plusMillis(100));

        assertThat(putBack.failure()).isInstanceOf(StoreException.class);
        stuck.open();
        until(() -> desk.abandoned.contains("7 new"));
    }
}
