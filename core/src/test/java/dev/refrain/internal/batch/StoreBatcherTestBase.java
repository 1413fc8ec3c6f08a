package dev.refrain.internal.batch;

import dev.refrain.api.KeyHash;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.testing.BackgroundCall;
import dev.refrain.testing.ManualEnvironment;
import dev.refrain.testing.RecordingListener;
import dev.refrain.testing.ThreadGate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** A batcher, and a desk at its end that answers by a script. */
abstract class StoreBatcherTestBase {

    static final Duration PATIENCE = Duration.ofSeconds(3);
    static final StoreBatcher.BatchLimits LIMITS = new StoreBatcher.BatchLimits(256, 1 << 20, 1);
    final ManualEnvironment environment = new ManualEnvironment();
    final RecordingListener events = new RecordingListener();
    final ScriptedBatchStrategy desk = new ScriptedBatchStrategy();
    final StoreBatcher<TestRequest, String> batcher = batcher(LIMITS);

    StoreBatcher<TestRequest, String> batcher(StoreBatcher.BatchLimits limits) {
        return new StoreBatcher<>("desk", desk, limits, new BatchTurnQueue(), environment, events);
    }

    /** A question: a record's number, what is asked, and how much it weighs. */
    record TestRequest(int row, String what, long weight) {
        static TestRequest of(int row) {
            return new TestRequest(row, "ask", 1);
        }

        static TestRequest of(int row, String what) {
            return new TestRequest(row, what, 1);
        }
    }

    /** Whoever answers. By default with the question itself; a script says otherwise, one entry for each batch. */
    static final class ScriptedBatchStrategy implements BatchStrategy<TestRequest, String> {
        final List<List<TestRequest>> batches = new CopyOnWriteArrayList<>();
        final List<TestRequest> abandoned = new CopyOnWriteArrayList<>();
        final ConcurrentLinkedQueue<Function<List<TestRequest>, List<String>>> script = new ConcurrentLinkedQueue<>();
        private final Map<String, StoreException> failures = new ConcurrentHashMap<>();
        volatile boolean refusesWhenOverloaded;
        volatile ToLongFunction<String> answerSizes = answer -> 0;
        volatile Function<TestRequest, String> scopes = question -> "";
        volatile ThreadGate whileAnsweringFollowers = new ThreadGate();

        ScriptedBatchStrategy() {
            whileAnsweringFollowers.open();
        }

        @Override
        public long answerBytes(String answer) {
            return answerSizes.applyAsLong(answer);
        }

        static List<String> answer(List<TestRequest> questions) {
            return questions.stream().map(q -> q.row() + " " + q.what()).toList();
        }

        @Override
        public List<String> send(List<TestRequest> questions) {
            batches.add(questions);
            var scripted = script.poll();
            return scripted == null ? answer(questions) : scripted.apply(questions);
        }

        void hold(ThreadGate gate) {
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

        /** The element of that row fails alone, the others are answered. */
        void failRow(int row, StoreException failure) {
            String failed = "failed " + failures.size();
            failures.put(failed, failure);
            script.add(questions -> questions.stream()
                    .map(q -> q.row() == row ? failed : answer(List.of(q)).getFirst())
                    .toList());
        }

        @Override
        public Optional<StoreException> failureOf(String answer) {
            return Optional.ofNullable(failures.get(answer));
        }

        @Override
        public KeyHash lookup(TestRequest question) {
            return new KeyHash(question.row(), 0);
        }

        @Override
        public String scope(TestRequest question) {
            return scopes.apply(question);
        }

        @Override
        public boolean refusesWhenOverloaded() {
            return refusesWhenOverloaded;
        }

        @Override
        public long bytes(TestRequest question) {
            return question.weight();
        }

        @Override
        public boolean hasSameAnswer(TestRequest leader, TestRequest follower) {
            return leader.what().equals(follower.what());
        }

        @Override
        public String answerForDuplicate(String leaderAnswer) {
            whileAnsweringFollowers.pass();
            return leaderAnswer + " (too)";
        }

        @Override
        public void onUnclaimedAnswer(TestRequest question) {
            abandoned.add(question);
        }
    }

    static StoreException away(Effect effect) {
        return StoreException.unavailable("away", effect, null);
    }

    /** Asks in the background and waits until the question is in the batcher. */
    BackgroundCall<String> asking(StoreBatcher<TestRequest, String> asked, TestRequest question) {
        return BackgroundCall.run(() -> asked.send(question, PATIENCE)).parked();
    }

    BackgroundCall<String> asking(TestRequest question) {
        return asking(batcher, question);
    }
}
