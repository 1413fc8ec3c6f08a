package dev.refrain.batch;

import static dev.refrain.testing.Until.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.Environment;
import dev.refrain.key.Lookup;
import dev.refrain.observe.Event;
import dev.refrain.observe.Listener;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.testing.Background;
import dev.refrain.testing.Events;
import dev.refrain.testing.Gate;
import dev.refrain.testing.ManualEnvironment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rules of a batch, one by one. */
class LaneTest {

    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final Lane.Limits LIMITS = new Lane.Limits(256, 1 << 20, 1);

    private final ManualEnvironment environment = new ManualEnvironment();
    private final Events events = new Events();
    private final Desk desk = new Desk();
    private final Lane<Ask, String> lane = lane(LIMITS);

    private Lane<Ask, String> lane(Lane.Limits limits) {
        return new Lane<>("desk", desk, limits, new Turns(), environment, events);
    }

    /** A question: a record's number, what is asked, and how much it weighs. */
    record Ask(int row, String what, long weight) {
        static Ask of(int row) {
            return new Ask(row, "ask", 1);
        }

        static Ask of(int row, String what) {
            return new Ask(row, what, 1);
        }
    }

    /** Whoever answers. By default with the question itself; a script says otherwise, one entry for each batch. */
    private static final class Desk implements Batching<Ask, String> {
        final List<List<Ask>> batches = new CopyOnWriteArrayList<>();
        final List<String> abandoned = new CopyOnWriteArrayList<>();
        final ConcurrentLinkedQueue<Function<List<Ask>, List<String>>> script = new ConcurrentLinkedQueue<>();
        volatile Gate whileAnsweringFollowers = new Gate();

        Desk() {
            whileAnsweringFollowers.open();
        }

        static List<String> answer(List<Ask> questions) {
            return questions.stream().map(q -> q.row() + " " + q.what()).toList();
        }

        @Override
        public List<String> send(List<Ask> questions) {
            batches.add(questions);
            var scripted = script.poll();
            return scripted == null ? answer(questions) : scripted.apply(questions);
        }

        void hold(Gate gate) {
            script.add(questions -> {
                gate.pass();
                return answer(questions);
            });
        }

        void fail(RuntimeException failure) {
            script.add(questions -> {
                throw failure;
            });
        }

        @Override
        public Lookup lookup(Ask question) {
            return new Lookup(question.row(), 0);
        }

        @Override
        public long bytes(Ask question) {
            return question.weight();
        }

        @Override
        public boolean endsAlike(Ask leader, Ask follower) {
            return leader.what().equals(follower.what());
        }

        @Override
        public String forFollower(String leaderAnswer) {
            whileAnsweringFollowers.pass();
            return leaderAnswer + " (too)";
        }

        @Override
        public void abandoned(String answer) {
            abandoned.add(answer);
        }
    }

    private static StoreException away(Effect effect) {
        return StoreException.unavailable("away", effect, null);
    }

    /** Asks in the background and waits until the question is in the lane. */
    private Background<String> asking(Lane<Ask, String> asked, Ask question) {
        return Background.run(() -> asked.ask(question, PATIENCE)).parked();
    }

    private Background<String> asking(Ask question) {
        return asking(lane, question);
    }

    @Test
    void a_lone_question_goes_at_once_without_any_timer() {
        assertThat(lane.ask(Ask.of(1), PATIENCE)).isEqualTo("1 ask");

        assertThat(environment.nanos()).isZero();
        assertThat(desk.batches).containsExactly(List.of(Ask.of(1)));
    }

    @Test
    void what_comes_while_a_batch_is_in_flight_goes_together_in_the_next() {
        var first = new Gate();
        desk.hold(first);
        var lone = asking(Ask.of(9));
        first.awaitArrival();
        var queued = IntStream.of(3, 1, 2).mapToObj(row -> asking(Ask.of(row))).toList();

        first.open();

        assertThat(lone.get()).isEqualTo("9 ask");
        assertThat(queued.stream().map(Background::get)).containsExactly("3 ask", "1 ask", "2 ask");
        assertThat(desk.batches).hasSize(2);
    }

    @Test
    void rows_go_in_the_order_of_the_primary_key_so_that_two_batches_never_lock_in_opposite_orders() {
        var gate = new Gate();
        desk.hold(gate);
        var all = new ArrayList<Background<String>>();
        all.add(asking(Ask.of(0)));
        gate.awaitArrival();
        IntStream.of(5, 2, 9, 1).forEach(row -> all.add(asking(Ask.of(row))));
        gate.open();
        all.forEach(Background::get);

        assertThat(desk.batches.get(1)).extracting(Ask::row).containsExactly(1, 2, 5, 9);
    }

    @Test
    void a_batch_is_bounded_in_rows() {
        var bounded = lane(new Lane.Limits(3, 1 << 20, 1));
        var gate = new Gate();
        desk.hold(gate);
        var all = new ArrayList<Background<String>>();
        all.add(asking(bounded, Ask.of(0)));
        gate.awaitArrival();
        IntStream.rangeClosed(1, 7).forEach(row -> all.add(asking(bounded, Ask.of(row))));
        gate.open();
        all.forEach(Background::get);

        assertThat(desk.batches).extracting(List::size).containsExactly(1, 3, 3, 1);
    }

    @Test
    void a_batch_is_bounded_in_bytes_and_one_question_over_the_bound_goes_alone() {
        var bounded = lane(new Lane.Limits(256, 10, 1));
        var gate = new Gate();
        desk.hold(gate);
        var all = new ArrayList<Background<String>>();
        all.add(asking(bounded, Ask.of(0)));
        gate.awaitArrival();
        for (var ask : List.of(new Ask(1, "a", 6), new Ask(2, "b", 4), new Ask(3, "c", 99), new Ask(4, "d", 6))) {
            all.add(asking(bounded, ask));
        }
        gate.open();
        all.forEach(Background::get);

        assertThat(desk.batches)
                .extracting(b -> b.stream().map(Ask::row).toList())
                .containsExactly(List.of(0), List.of(1, 2), List.of(3), List.of(4));
    }

    @Test
    void of_alike_questions_about_one_record_one_is_asked_and_the_others_are_answered_from_it() {
        var gate = new Gate();
        desk.hold(gate);
        var lone = asking(Ask.of(0));
        gate.awaitArrival();
        var twins = IntStream.range(0, 3).mapToObj(i -> asking(Ask.of(7))).toList();
        gate.open();
        lone.get();

        assertThat(twins.stream().map(Background::get)).containsExactly("7 ask", "7 ask (too)", "7 ask (too)");
        assertThat(desk.batches.get(1)).containsExactly(Ask.of(7));
    }

    @Test
    void unlike_questions_about_one_record_are_never_in_one_batch_and_each_is_asked() {
        var gate = new Gate();
        desk.hold(gate);
        var lone = asking(Ask.of(0));
        gate.awaitArrival();
        var old = asking(Ask.of(7, "old"));
        var young = asking(Ask.of(7, "new"));
        var other = asking(Ask.of(8));
        gate.open();
        lone.get();

        assertThat(List.of(old.get(), young.get(), other.get())).containsExactly("7 old", "7 new", "8 ask");
        assertThat(desk.batches.subList(1, 3))
                .containsExactly(List.of(Ask.of(7, "old"), Ask.of(8)), List.of(Ask.of(7, "new")));
    }

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

        assertThatThrownBy(() -> lane.ask(Ask.of(1), PATIENCE))
                .isInstanceOf(RowRejectedException.class)
                .extracting(e -> ((StoreException) e).passing())
                .isEqualTo(true);
        assertThat(lane.ask(Ask.of(2), PATIENCE)).isEqualTo("2 ask");
    }

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
        assertThat(lane.ask(Ask.of(3), PATIENCE)).isEqualTo("3 ask");
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
        desk.fail(StoreException.refused("read-only", Effect.NONE, null));
        var asked = asking(Ask.of(1));

        until(() -> {
            environment.advance(Duration.ofMillis(5));
            return asked.isDone();
        });

        var failure = (StoreException) asked.failure();
        assertThat(failure.effect()).isEqualTo(Effect.UNKNOWN);
        assertThat(failure.passing()).isFalse();
        assertThat(failure).hasMessageContaining("read-only");
    }

    @Test
    void a_failure_that_will_not_pass_is_told_at_once() {
        desk.fail(StoreException.refused("read-only", Effect.NONE, null));

        assertThatThrownBy(() -> lane.ask(Ask.of(1), PATIENCE))
                .isInstanceOf(StoreException.class)
                .hasMessage("read-only");
        assertThat(environment.nanos()).isZero();
        assertThat(desk.batches).hasSize(1);
        assertThat(events.of(Event.StoreFailed.class)).hasSize(1);
    }

    @Test
    void a_store_that_throws_what_it_does_not_declare_neither_hangs_its_askers_nor_ends_the_lane() {
        for (Throwable undeclared : List.of(new IllegalStateException("defect"), new StackOverflowError())) {
            desk.script.add(questions -> {
                throw sneaky(undeclared);
            });

            assertThatThrownBy(() -> lane.ask(Ask.of(1), PATIENCE))
                    .isInstanceOf(StoreException.class)
                    .hasCause(undeclared)
                    .extracting(e -> ((StoreException) e).effect())
                    .isEqualTo(Effect.UNKNOWN);
            assertThat(lane.ask(Ask.of(2), PATIENCE)).isEqualTo("2 ask");
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
            assertThatThrownBy(() -> lane.ask(Ask.of(1), PATIENCE)).isInstanceOf(StoreException.class);
        }
        assertThat(lane.ask(Ask.of(2), PATIENCE)).isEqualTo("2 ask");
    }

    @Test
    void an_interrupt_does_not_end_the_waiting_and_is_not_lost() {
        var gate = new Gate();
        desk.hold(gate);
        var asked = Background.run(() -> {
            String answer = lane.ask(Ask.of(1), PATIENCE);
            return answer + ", interrupted: " + Thread.currentThread().isInterrupted();
        });
        gate.awaitArrival();

        asked.parked().interrupt();
        asked.parked();
        gate.open();

        assertThat(asked.get()).isEqualTo("1 ask, interrupted: true");
    }

    @Test
    void a_listener_that_fails_does_not_end_the_lane() {
        var log = Logger.getLogger(Listener.class.getName());
        log.setLevel(Level.OFF);
        Listener failing = event -> {
            throw new AssertionError("a listener's defect");
        };
        var heard = new Lane<>("desk", desk, LIMITS, new Turns(), environment, failing.contained());

        assertThat(heard.ask(Ask.of(1), PATIENCE)).isEqualTo("1 ask");
        assertThat(heard.ask(Ask.of(2), PATIENCE)).isEqualTo("2 ask");
        log.setLevel(null);
    }

    @Test
    void a_question_for_which_no_thread_can_be_had_is_not_left_behind_and_the_lane_lives_on() {
        var starts = new AtomicInteger();
        var poor = new Lane<>("desk", desk, LIMITS, new Turns(), new WithoutThreads(environment, starts), events);

        assertThatThrownBy(() -> poor.ask(Ask.of(1), PATIENCE)).isInstanceOf(OutOfMemoryError.class);
        assertThat(poor.ask(Ask.of(2), PATIENCE)).isEqualTo("2 ask");
        assertThat(desk.batches).containsExactly(List.of(Ask.of(2)));
    }

    /** The first thread cannot be started. */
    private record WithoutThreads(Environment inner, AtomicInteger starts) implements Environment {
        @Override
        public long nanos() {
            return inner.nanos();
        }

        @Override
        public void start(String name, Runnable body) {
            if (starts.incrementAndGet() == 1) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            inner.start(name, body);
        }

        @Override
        public Timer after(Duration delay, Runnable task) {
            return inner.after(delay, task);
        }

        @Override
        public UUID nonce() {
            return inner.nonce();
        }
    }

    @Test
    void an_idle_lane_keeps_no_timer() {
        lane.ask(Ask.of(1), PATIENCE);

        until(() -> {
            environment.advance(Duration.ofMillis(50));
            return environment.alarms() == 0;
        });
    }

    @Test
    void several_senders_keep_several_batches_in_flight_and_all_are_answered() {
        var wide = lane(new Lane.Limits(1, 100, 3));
        var gates = IntStream.range(0, 3).mapToObj(i -> new Gate()).toList();
        gates.forEach(desk::hold);
        var all =
                IntStream.range(0, 5).mapToObj(row -> asking(wide, Ask.of(row))).toList();
        gates.forEach(Gate::awaitArrival);

        gates.forEach(Gate::open);

        assertThat(all.stream().map(Background::get)).hasSize(5);
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

    @Test
    void thousands_of_askers_are_all_answered_rightly_in_few_batches() {
        var real = new Lane<>("desk", desk, LIMITS, new Turns(), Environment.system(), events);
        int askers = 5_000;
        var gate = new Gate();
        desk.hold(gate);

        var came = new AtomicInteger();
        var all = IntStream.range(0, askers)
                .mapToObj(row -> Background.run(() -> {
                    came.incrementAndGet();
                    return real.ask(Ask.of(row % 2_500), Duration.ofSeconds(20));
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
                .allSatisfy(b -> assertThat(b).extracting(Ask::row).isSorted());
        assertThat(desk.batches)
                .allSatisfy(b -> assertThat(b).extracting(Ask::row).doesNotHaveDuplicates());
    }
}
