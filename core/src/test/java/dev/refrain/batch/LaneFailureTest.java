package dev.refrain.batch;

import static dev.refrain.testing.Until.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.Environment;
import dev.refrain.observe.Event;
import dev.refrain.observe.Listener;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.testing.Gate;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** A batch that fails, and a store that behaves as none should. */
class LaneFailureTest extends OnALane {

    @Test
    void a_passing_failure_is_asked_again_unchanged() {
        desk.fail(away(Effect.NONE));
        desk.fail(away(Effect.UNKNOWN));
        var asked = asking(Ask.of(1));

        until(() -> {
            environment.advance(Duration.ofMillis(5));
            return asked.isDone();
        });

        assertThat(asked.get()).isEqualTo("1 ask");
        assertThat(desk.batches).hasSize(3).allSatisfy(b -> assertThat(b).containsExactly(Ask.of(1)));
        assertThat(events.of(Event.StoreFailed.class)).hasSize(2);
    }

    @Test
    void those_whose_batch_failed_go_before_those_who_came_later() {
        var gate = new Gate();
        desk.script.add(questions -> {
            gate.pass();
            throw away(Effect.NONE);
        });
        var bounded = lane(new Lane.Limits(1, 100, 1));
        var first = asking(bounded, Ask.of(5));
        gate.awaitArrival();
        var second = asking(bounded, Ask.of(1));
        gate.open();
        until(() -> {
            environment.advance(Duration.ofMillis(5));
            return first.isDone() && second.isDone();
        });

        assertThat(desk.batches).extracting(b -> b.getFirst().row()).containsExactly(5, 5, 1);
    }

    @Test
    void a_failure_that_will_not_pass_is_told_at_once() {
        desk.fail(StoreException.permanent("read-only", Effect.NONE, null));

        assertThatThrownBy(() -> lane.send(Ask.of(1), PATIENCE))
                .isInstanceOf(StoreException.class)
                .hasMessage("read-only");
        assertThat(environment.nanoTime()).isZero();
        assertThat(desk.batches).hasSize(1);
        assertThat(events.of(Event.StoreFailed.class)).hasSize(1);
    }

    @Test
    void a_store_that_throws_what_it_does_not_declare_neither_hangs_its_askers_nor_ends_the_lane() {
        for (Throwable undeclared : List.of(new IllegalStateException("defect"), new StackOverflowError())) {
            desk.script.add(questions -> {
                throw sneaky(undeclared);
            });

            assertThatThrownBy(() -> lane.send(Ask.of(1), PATIENCE))
                    .isInstanceOf(StoreException.class)
                    .hasCause(undeclared)
                    .extracting(e -> ((StoreException) e).effect())
                    .isEqualTo(Effect.UNKNOWN);
            assertThat(lane.send(Ask.of(2), PATIENCE)).isEqualTo("2 ask");
        }
        assertThat(events.of(Event.StoreFailed.class)).hasSize(2);
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> RuntimeException sneaky(Throwable e) throws E {
        throw (E) e;
    }

    @Test
    void a_store_that_gives_too_few_answers_or_none_neither_hangs_its_askers_nor_ends_the_lane() {
        desk.script.add(questions -> List.of());
        desk.script.add(questions -> null);

        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> lane.send(Ask.of(1), PATIENCE)).isInstanceOf(StoreException.class);
        }
        assertThat(lane.send(Ask.of(2), PATIENCE)).isEqualTo("2 ask");
    }

    @Test
    void a_listener_that_fails_does_not_end_the_lane() {
        var log = Logger.getLogger(Listener.class.getName());
        log.setLevel(Level.OFF);
        Listener failing = event -> {
            throw new AssertionError("a listener's defect");
        };
        var heard = new Lane<>("desk", desk, LIMITS, new Turns(), environment, failing.exceptionSafe());

        assertThat(heard.send(Ask.of(1), PATIENCE)).isEqualTo("1 ask");
        assertThat(heard.send(Ask.of(2), PATIENCE)).isEqualTo("2 ask");
        log.setLevel(null);
    }

    @Test
    void a_question_for_which_no_thread_can_be_had_is_not_left_behind_and_the_lane_lives_on() {
        var starts = new AtomicInteger();
        var poor = new Lane<>("desk", desk, LIMITS, new Turns(), new WithoutThreads(environment, starts), events);

        assertThatThrownBy(() -> poor.send(Ask.of(1), PATIENCE)).isInstanceOf(OutOfMemoryError.class);
        assertThat(poor.send(Ask.of(2), PATIENCE)).isEqualTo("2 ask");
        assertThat(desk.batches).containsExactly(List.of(Ask.of(2)));
    }

    /** The first thread cannot be started. */
    private record WithoutThreads(Environment inner, AtomicInteger starts) implements Environment {
        @Override
        public long nanoTime() {
            return inner.nanoTime();
        }

        @Override
        public void startThread(String name, Runnable body) {
            if (starts.incrementAndGet() == 1) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            inner.startThread(name, body);
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            return inner.schedule(delay, task);
        }

        @Override
        public UUID newNonce() {
            return inner.newNonce();
        }
    }
}
