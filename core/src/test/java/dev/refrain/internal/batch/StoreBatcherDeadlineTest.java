package dev.refrain.internal.batch;

import static dev.refrain.testing.AwaitCondition.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.testing.BackgroundCall;
import dev.refrain.testing.ThreadGate;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Whoever asks waits so long and no longer. */
class StoreBatcherDeadlineTest extends StoreBatcherTestBase {

    @Test
    void afterTheDeadlineAQuestionThatNeverLeftTheQueueIsWithdrawnAndNothingHappened() {
        var gate = new ThreadGate();
        desk.hold(gate);
        var inFlight = asking(TestRequest.of(1));
        gate.awaitArrival();
        var queued = asking(TestRequest.of(2));

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
        assertThat(batcher.send(TestRequest.of(3), PATIENCE)).isEqualTo("3 ask");
        assertThat(desk.batches).as("the withdrawn one was never sent").noneMatch(b -> b.contains(TestRequest.of(2)));
    }

    @Test
    void responseWithoutWaitingCallerIsPassedToTheCleanup() {
        var gate = new ThreadGate();
        desk.hold(gate);
        var asked = asking(TestRequest.of(1));
        gate.awaitArrival();
        environment.advance(PATIENCE.plusMillis(100));
        asked.failure();

        gate.open();

        until(() -> desk.abandoned.contains(TestRequest.of(1)));
    }

    @Test
    void questionWhoseFirstReplyWasLostMayHaveHappenedEvenIfLaterTriesNeverGotOut() {
        desk.fail(away(Effect.UNKNOWN));
        IntStream.range(0, 500).forEach(i -> desk.fail(away(Effect.NONE)));
        var asked = asking(TestRequest.of(1));

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
    void lostReplyIsNotForgottenWhenTheStoreThenRefuses() {
        desk.fail(away(Effect.UNKNOWN));
        desk.fail(StoreException.permanent("read-only", Effect.NONE, null));
        var asked = asking(TestRequest.of(1));

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
    void interruptDoesNotEndTheWaitingAndIsNotLost() {
        var gate = new ThreadGate();
        desk.hold(gate);
        var asked = BackgroundCall.run(() -> {
            String answer = batcher.send(TestRequest.of(1), PATIENCE);
            return answer + ", interrupted: " + Thread.currentThread().isInterrupted();
        });
        gate.awaitArrival();

        asked.parked().interrupt();
        asked.parked();
        gate.open();

        assertThat(asked.get()).isEqualTo("1 ask, interrupted: true");
    }

    @Test
    void questionThatAnotherSenderTookOverMeanwhileIsStillGivenUpAtItsDeadline() {
        var wide = batcher(new StoreBatcher.BatchLimits(100, 100, 2));
        var answering = new ThreadGate();
        desk.whileAnsweringFollowers = answering;
        var first = new ThreadGate();
        desk.hold(first);
        asking(wide, TestRequest.of(0));
        first.awaitArrival();
        // The next batch is answered in part and then dwells; the question put back from it goes out with another
        // sender.
        var second = new ThreadGate();
        desk.hold(second);
        asking(wide, TestRequest.of(1));
        second.awaitArrival();
        asking(wide, TestRequest.of(7, "old"));
        var putBack = asking(wide, TestRequest.of(7, "new"));
        asking(wide, TestRequest.of(8));
        asking(wide, TestRequest.of(8));
        first.open();
        answering.awaitArrival();
        var stuck = new ThreadGate();
        desk.hold(stuck);
        second.open();
        stuck.awaitArrival();
        assertThat(desk.batches.getLast()).containsExactly(TestRequest.of(7, "new"));
        answering.open();

        environment.advance(PATIENCE.plusMillis(100));

        assertThat(putBack.failure()).isInstanceOf(StoreException.class);
        stuck.open();
        until(() -> desk.abandoned.contains(new TestRequest(7, "new", 1)));
    }
}
