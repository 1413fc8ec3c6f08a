package dev.refrain.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.key.Lookup;
import dev.refrain.observe.Listener;
import dev.refrain.testing.Background;
import dev.refrain.testing.Gate;
import dev.refrain.testing.ManualEnvironment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Two lanes of one store, each crowded. */
class TurnsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final int CROWD = 8;

    private final ManualEnvironment environment = new ManualEnvironment();
    private final Turns turns = new Turns();
    private final Desk first = new Desk();
    private final Desk second = new Desk();
    private final Lane<Integer, Integer> firstLane = lane(first);
    private final Lane<Integer, Integer> secondLane = lane(second);

    private Lane<Integer, Integer> lane(Desk desk) {
        return new Lane<>("desk", desk, new Lane.Limits(256, 1 << 20, 1), turns, environment, Listener.none());
    }

    /** Answers with the question, batch by batch, each behind the next gate if there is one. */
    private static final class Desk implements Batching<Integer, Integer> {
        final ConcurrentLinkedQueue<Gate> gates = new ConcurrentLinkedQueue<>();
        final List<Integer> batches = new CopyOnWriteArrayList<>();

        @Override
        public List<Integer> send(List<Integer> questions) {
            batches.add(questions.size());
            var gate = gates.poll();
            if (gate != null) {
                gate.pass();
            }
            return questions;
        }

        Gate gate() {
            var gate = new Gate();
            gates.add(gate);
            return gate;
        }

        @Override
        public Lookup lookup(Integer question) {
            return new Lookup(question, 0);
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

        @Override
        public void onUnclaimedAnswer(Integer answer) {}
    }

    private static List<Background<Integer>> asking(Lane<Integer, Integer> lane, int from, int count) {
        var all = new ArrayList<Background<Integer>>();
        for (int i = 0; i < count; i++) {
            int question = from + i;
            all.add(Background.run(() -> lane.send(question, PATIENCE)).parked());
        }
        return all;
    }

    /** Lets this lane have a crowded batch under way, behind the gate that is returned, and another crowd queued. */
    private static Gate crowd(Lane<Integer, Integer> lane, Desk desk, List<Background<Integer>> askers) {
        var alone = desk.gate();
        askers.addAll(asking(lane, 0, 1));
        alone.awaitArrival();
        askers.addAll(asking(lane, 100, CROWD));
        var crowded = desk.gate();
        alone.open();
        crowded.awaitArrival();
        askers.addAll(asking(lane, 200, CROWD));
        return crowded;
    }

    @Test
    void a_crowded_lane_waits_for_the_batch_of_the_other_and_its_own_grows_meanwhile() {
        var askers = new ArrayList<Background<Integer>>();
        var firstCrowd = crowd(firstLane, first, askers);
        var secondCrowd = crowd(secondLane, second, askers);
        var itsTurn = first.gate();
        firstCrowd.open();
        itsTurn.awaitArrival();
        secondCrowd.open();
        await().until(() -> askers.stream().filter(Background::isDone).count() == 2 * (1 + CROWD));
        askers.addAll(asking(secondLane, 300, 3));

        assertThat(second.batches).containsExactly(1, CROWD);
        itsTurn.open();
        askers.forEach(Background::get);

        assertThat(second.batches).containsExactly(1, CROWD, CROWD + 3);
    }

    @Test
    void a_lane_that_is_stuck_holds_up_the_other_for_a_moment_only() {
        var askers = new ArrayList<Background<Integer>>();
        var firstCrowd = crowd(firstLane, first, askers);
        var secondCrowd = crowd(secondLane, second, askers);
        var stuck = first.gate();
        firstCrowd.open();
        stuck.awaitArrival();
        secondCrowd.open();
        await().until(() -> askers.stream().filter(Background::isDone).count() == 2 * (1 + CROWD));
        assertThat(second.batches).containsExactly(1, CROWD);

        environment.advance(Duration.ofMillis(100));
        await().until(() -> second.batches.size() == 3);

        stuck.open();
        askers.forEach(Background::get);
    }

    @Test
    void a_lone_question_waits_for_nobody() {
        var askers = new ArrayList<Background<Integer>>();
        var firstCrowd = crowd(firstLane, first, askers);

        assertThat(secondLane.send(1, PATIENCE)).isEqualTo(1);

        firstCrowd.open();
        askers.forEach(Background::get);
    }
}
