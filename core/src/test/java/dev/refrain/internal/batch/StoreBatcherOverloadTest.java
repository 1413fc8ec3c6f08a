package dev.refrain.internal.batch;

import static dev.refrain.testing.AwaitCondition.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoreOverloadedException;
import dev.refrain.testing.BackgroundCall;
import dev.refrain.testing.ThreadGate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** More requests than the store answers: batches of two, half a second each. */
class StoreBatcherOverloadTest extends StoreBatcherTestBase {

    private static final Duration BATCH = Duration.ofMillis(500);

    private final StoreBatcher<TestRequest, String> busy = batcher(new StoreBatcher.BatchLimits(2, 1 << 20, 1));
    private final ThreadGate gate = new ThreadGate();

    @BeforeEach
    void learnPace() {
        desk.refusesWhenOverloaded = true;
        desk.script.add(questions -> {
            environment.advance(BATCH);
            return ScriptedBatchStrategy.answer(questions);
        });
        busy.send(TestRequest.of(0), Duration.ofSeconds(10));
        desk.batches.clear();
        desk.hold(gate);
    }

    private BackgroundCall<String> sending(TestRequest request, Duration patience) {
        return BackgroundCall.run(() -> busy.send(request, patience)).parked();
    }

    private List<BackgroundCall<String>> fill(int requests) {
        var all = new ArrayList<BackgroundCall<String>>();
        all.add(sending(TestRequest.of(1), PATIENCE));
        gate.awaitArrival();
        IntStream.range(2, 2 + requests).forEach(row -> all.add(sending(TestRequest.of(row), PATIENCE)));
        return all;
    }

    @Test
    void requestThatWouldBeAnsweredTooLateIsRefusedAtOnce() {
        // One batch in flight, two before it, and its own: two seconds, of which its patience has half.
        var admitted = fill(4);

        assertThatThrownBy(() -> busy.send(TestRequest.of(9), PATIENCE))
                .isInstanceOf(StoreOverloadedException.class)
                .hasMessageContaining("Nothing ran; retry later")
                .extracting(e -> ((StoreOverloadedException) e).effect())
                .isEqualTo(Effect.NONE);
        var patient = sending(TestRequest.of(10), PATIENCE.plus(BATCH.multipliedBy(2)));

        gate.open();
        admitted.forEach(call -> assertThat(call.get()).isNotNull());
        assertThat(patient.get()).isEqualTo("10 ask");
        assertThat(desk.batches).noneMatch(batch -> batch.contains(TestRequest.of(9)));
    }

    @Test
    void everyAdmittedRequestIsAnsweredThoughTheStoreGetsNearlyTwiceAsSlow() {
        var admitted = fill(0);
        String scope = desk.scope(TestRequest.of(9));
        for (int row = 2; busy.hasCapacity(scope, PATIENCE); row++) {
            admitted.add(sending(TestRequest.of(row), PATIENCE));
        }
        for (int batch = 0; batch < admitted.size(); batch++) {
            desk.script.add(questions -> {
                environment.advance(BATCH.multipliedBy(9).dividedBy(5));
                return ScriptedBatchStrategy.answer(questions);
            });
        }
        environment.advance(BATCH.multipliedBy(4).dividedBy(5));

        gate.open();

        assertThat(admitted)
                .hasSizeGreaterThan(4)
                .allSatisfy(call -> assertThat(call.get()).isNotNull());
        assertThat(desk.abandoned).isEmpty();
    }

    /** A call that fails open may run only where the store is away. */
    @Test
    void refusalAfterAnElementWasTooBusyIsStillOneOfAnOverloadedStore() {
        fill(0);
        desk.failRow(1_000, away(Effect.NONE));
        gate.open();
        var throttled = sending(TestRequest.of(1_000), PATIENCE);
        until(() -> desk.batches.stream().anyMatch(batch -> batch.contains(TestRequest.of(1_000))));
        var again = new ThreadGate();
        desk.hold(again);
        sending(TestRequest.of(1), PATIENCE);
        again.awaitArrival();
        IntStream.range(2, 6).forEach(row -> sending(TestRequest.of(row), PATIENCE));

        assertThatThrownBy(() -> busy.send(TestRequest.of(9), PATIENCE)).isInstanceOf(StoreOverloadedException.class);

        again.open();
        until(() -> {
            environment.advance(Duration.ofMillis(5));
            return throttled.isDone();
        });
    }

    @Test
    void capacityIsKnownBeforeARequestIsMade() {
        String scope = desk.scope(TestRequest.of(9));
        assertThat(busy.hasCapacity(scope, PATIENCE)).isTrue();
        var admitted = fill(4);

        assertThat(busy.hasCapacity(scope, PATIENCE)).isFalse();
        assertThat(busy.hasCapacity(scope, PATIENCE.plus(BATCH.multipliedBy(2))))
                .isTrue();

        gate.open();
        admitted.forEach(call -> assertThat(call.get()).isNotNull());
    }

    @Test
    void writesAreNeverRefused() {
        desk.refusesWhenOverloaded = false;
        var all = fill(10);

        gate.open();
        all.forEach(call -> assertThat(call.get()).isNotNull());
    }

    @Test
    void requestThatHasTooLittleTimeLeftIsNotSentWhileOthersWait() {
        fill(0);
        var hasty = sending(TestRequest.of(2), BATCH.dividedBy(2));
        var patient = sending(TestRequest.of(3), PATIENCE);

        gate.open();

        assertThat(hasty.failure()).isInstanceOf(StoreOverloadedException.class);
        assertThat(patient.get()).isEqualTo("3 ask");
        assertThat(desk.batches).noneMatch(batch -> batch.contains(TestRequest.of(2)));
    }

    @Test
    void loneRequestIsSentHoweverSlowTheStoreWas() {
        gate.open();

        assertThat(busy.send(TestRequest.of(1), BATCH.dividedBy(2))).isEqualTo("1 ask");
    }

    @Test
    void scopesAreServedInTurn() {
        desk.scopes = question -> question.row() < 100 ? "flood" : "other";
        fill(4);
        var other = sending(TestRequest.of(100), PATIENCE);

        gate.open();

        assertThat(other.get()).isEqualTo("100 ask");
        assertThat(desk.batches.get(1))
                .as("the batch after the one in flight")
                .containsExactly(TestRequest.of(2), TestRequest.of(100));
    }

    @Test
    void floodOfOneScopeRefusesNobodyElse() {
        desk.scopes = question -> question.row() < 100 ? "flood" : "other";
        var admitted = fill(4);
        assertThatThrownBy(() -> busy.send(TestRequest.of(9), PATIENCE)).isInstanceOf(StoreOverloadedException.class);

        var other = sending(TestRequest.of(100), PATIENCE);

        gate.open();
        assertThat(other.get()).isEqualTo("100 ask");
        admitted.forEach(call -> assertThat(call.get()).isNotNull());
    }
}
