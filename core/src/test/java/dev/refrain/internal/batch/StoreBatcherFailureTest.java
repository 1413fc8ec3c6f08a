package dev.refrain.internal.batch;

import static dev.refrain.testing.AwaitCondition.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainListener;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.testing.BackgroundCall;
import dev.refrain.testing.ThreadGate;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** A batch that fails, and a store that behaves as none should. */
class StoreBatcherFailureTest extends StoreBatcherTestBase {

    @Test
    void passingFailureIsAskedAgainUnchanged() {
        desk.fail(away(Effect.NONE));
        desk.fail(away(Effect.UNKNOWN));
        var asked = asking(TestRequest.of(1));

        until(() -> {
            environment.advance(Duration.ofMillis(5));
            return asked.isDone();
        });

        assertThat(asked.get()).isEqualTo("1 ask");
        assertThat(desk.batches).hasSize(3).allSatisfy(b -> assertThat(b).containsExactly(TestRequest.of(1)));
        assertThat(events.of(RefrainEvent.StoreFailed.class)).hasSize(2);
    }

    @Test
    void questionsOfAFailedBatchGoBeforeLaterOnes() {
        var gate = new ThreadGate();
        desk.script.add(questions -> {
            gate.pass();
            throw away(Effect.NONE);
        });
        var bounded = batcher(new StoreBatcher.BatchLimits(1, 100, 1));
        var first = asking(bounded, TestRequest.of(5));
        gate.awaitArrival();
        var second = asking(bounded, TestRequest.of(1));
        gate.open();
        until(() -> {
            environment.advance(Duration.ofMillis(5));
            return first.isDone() && second.isDone();
        });

        assertThat(desk.batches).extracting(b -> b.getFirst().row()).containsExactly(5, 5, 1);
    }

    @Test
    void permanentFailureIsReportedAtOnce() {
        desk.fail(StoreException.permanent("read-only", Effect.NONE, null));

        assertThatThrownBy(() -> batcher.send(TestRequest.of(1), PATIENCE))
                .isInstanceOf(StoreException.class)
                .hasMessage("read-only");
        assertThat(environment.nanoTime()).isZero();
        assertThat(desk.batches).hasSize(1);
        assertThat(events.of(RefrainEvent.StoreFailed.class)).hasSize(1);
    }

    @Test
    void storeThatThrowsWhatItDoesNotDeclareNeitherHangsItsAskersNorEndsTheBatcher() {
        for (Throwable undeclared : List.of(new IllegalStateException("defect"), new StackOverflowError())) {
            desk.script.add(questions -> {
                throw sneaky(undeclared);
            });

            assertThatThrownBy(() -> batcher.send(TestRequest.of(1), PATIENCE))
                    .isInstanceOf(StoreException.class)
                    .hasCause(undeclared)
                    .extracting(e -> ((StoreException) e).effect())
                    .isEqualTo(Effect.UNKNOWN);
            assertThat(batcher.send(TestRequest.of(2), PATIENCE)).isEqualTo("2 ask");
        }
        assertThat(events.of(RefrainEvent.StoreFailed.class)).hasSize(2);
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> RuntimeException sneaky(Throwable e) throws E {
        throw (E) e;
    }

    @Test
    void storeThatGivesTooFewAnswersOrNoneNeitherHangsItsAskersNorEndsTheBatcher() {
        desk.script.add(questions -> List.of());
        desk.script.add(questions -> null);

        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> batcher.send(TestRequest.of(1), PATIENCE)).isInstanceOf(StoreException.class);
        }
        assertThat(batcher.send(TestRequest.of(2), PATIENCE)).isEqualTo("2 ask");
    }

    @Test
    void errorAfterSomeWereAnsweredDoesNotTakeTheirClaimsBack() {
        var gate = new ThreadGate();
        desk.hold(gate);
        var blocking = BackgroundCall.run(() -> batcher.send(TestRequest.of(0), PATIENCE));
        gate.awaitArrival();
        var first = BackgroundCall.run(() -> batcher.send(TestRequest.of(1), PATIENCE))
                .parked();
        var second = BackgroundCall.run(() -> batcher.send(TestRequest.of(2), PATIENCE))
                .parked();
        desk.answerSizes = answer -> {
            if (answer.startsWith("2 ")) {
                throw new OutOfMemoryError("for a test");
            }
            return 0;
        };
        gate.open();

        assertThat(blocking.get()).isEqualTo("0 ask");
        assertThat(first.get()).isEqualTo("1 ask");
        assertThat(second.failure()).isInstanceOf(StoreException.class);
        assertThat(desk.abandoned).as("given back although they run").isEmpty();
    }

    @Test
    void listenerThatFailsDoesNotEndTheBatcher() {
        var log = Logger.getLogger(RefrainListener.class.getName());
        log.setLevel(Level.OFF);
        RefrainListener failing = event -> {
            throw new AssertionError("a listener's defect");
        };
        var heard =
                new StoreBatcher<>("desk", desk, LIMITS, new BatchTurnQueue(), environment, failing.exceptionSafe());

        assertThat(heard.send(TestRequest.of(1), PATIENCE)).isEqualTo("1 ask");
        assertThat(heard.send(TestRequest.of(2), PATIENCE)).isEqualTo("2 ask");
        log.setLevel(null);
    }

    @Test
    void questionForWhichNoThreadCanBeHadIsNotLeftBehindAndTheBatcherLivesOn() {
        var starts = new AtomicInteger();
        var poor = new StoreBatcher<>(
                "desk", desk, LIMITS, new BatchTurnQueue(), new ThreadlessEnvironment(environment, starts), events);

        assertThatThrownBy(() -> poor.send(TestRequest.of(1), PATIENCE)).isInstanceOf(OutOfMemoryError.class);
        assertThat(poor.send(TestRequest.of(2), PATIENCE)).isEqualTo("2 ask");
        assertThat(desk.batches).containsExactly(List.of(TestRequest.of(2)));
    }

    /** The first thread cannot be started. */
    private record ThreadlessEnvironment(ExecutionEnvironment inner, AtomicInteger starts)
            implements ExecutionEnvironment {
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
