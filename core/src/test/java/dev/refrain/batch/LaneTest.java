package dev.refrain.batch;

import static dev.refrain.testing.Until.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.Environment;
import dev.refrain.testing.Background;
import dev.refrain.testing.Gate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rules of a batch, one by one. */
class LaneTest extends OnALane {

    @Test
    void a_lone_question_goes_at_once_without_any_timer() {
        assertThat(lane.send(Ask.of(1), PATIENCE)).isEqualTo("1 ask");

        assertThat(environment.nanoTime()).isZero();
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
    void an_idle_lane_keeps_no_timer() {
        lane.send(Ask.of(1), PATIENCE);

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
    void thousands_of_askers_are_all_answered_rightly_in_few_batches() {
        var real = new Lane<>("desk", desk, LIMITS, new Turns(), Environment.system(), events);
        int askers = 5_000;
        var gate = new Gate();
        desk.hold(gate);

        var came = new AtomicInteger();
        var all = IntStream.range(0, askers)
                .mapToObj(row -> Background.run(() -> {
                    came.incrementAndGet();
                    return real.send(Ask.of(row % 2_500), Duration.ofSeconds(20));
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
