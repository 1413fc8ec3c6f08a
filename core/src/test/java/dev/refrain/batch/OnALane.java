package dev.refrain.batch;

import dev.refrain.key.Lookup;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.testing.Background;
import dev.refrain.testing.Events;
import dev.refrain.testing.Gate;
import dev.refrain.testing.ManualEnvironment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A lane, and a desk at its end that answers by a script. */
abstract class OnALane {

    static final Duration PATIENCE = Duration.ofSeconds(3);
    static final Lane.Limits LIMITS = new Lane.Limits(256, 1 << 20, 1);
    final ManualEnvironment environment = new ManualEnvironment();
    final Events events = new Events();
    final Desk desk = new Desk();
    final Lane<Ask, String> lane = lane(LIMITS);

    Lane<Ask, String> lane(Lane.Limits limits) {
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
    static final class Desk implements Batching<Ask, String> {
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
        public boolean hasSameAnswer(Ask leader, Ask follower) {
            return leader.what().equals(follower.what());
        }

        @Override
        public String answerForDuplicate(String leaderAnswer) {
            whileAnsweringFollowers.pass();
            return leaderAnswer + " (too)";
        }

        @Override
        public void onUnclaimedAnswer(String answer) {
            abandoned.add(answer);
        }
    }

    static StoreException away(Effect effect) {
        return StoreException.unavailable("away", effect, null);
    }

    /** Asks in the background and waits until the question is in the lane. */
    Background<String> asking(Lane<Ask, String> asked, Ask question) {
        return Background.run(() -> asked.send(question, PATIENCE)).parked();
    }

    Background<String> asking(Ask question) {
        return asking(lane, question);
    }
}
