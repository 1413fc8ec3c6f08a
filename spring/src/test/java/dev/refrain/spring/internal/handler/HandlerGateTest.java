package dev.refrain.spring.internal.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.LeasedOperation;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.api.AsyncRun;
import dev.refrain.api.AsyncRunStart;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome;
import dev.refrain.store.memory.MemoryStore;
import java.lang.reflect.Method;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.web.method.HandlerMethod;

class HandlerGateTest {

    private final Refrain refrain = Refrain.using(new MemoryStore());
    private final LeasedOperation<Outcome.Answer> operation =
            refrain.operation("charge").leased(LeaseExpiryPolicy.HOLD);
    private AsyncRun run;
    private HandlerGate gate;

    static class Shop {
        void charge() {}

        void refund() {}
    }

    private static Method charge() throws NoSuchMethodException {
        return Shop.class.getDeclaredMethod("charge");
    }

    private static HandlerMethod handler() throws NoSuchMethodException {
        return new HandlerMethod(new Shop(), charge());
    }

    @BeforeEach
    void claimKey() throws Exception {
        run = begin();
        gate = new HandlerGate(handler(), () -> Optional.of(run.claim()));
    }

    @AfterEach
    void close() {
        if (!run.hasEnded()) {
            run.abandon();
        }
        refrain.close();
    }

    private AsyncRun begin() {
        return (AsyncRun) start();
    }

    private AsyncRunStart start() {
        return operation.startAsync(OperationCall.scope("").key("key").request("request"));
    }

    /** With HOLD a failure is kept, unless nothing happened. */
    private boolean isFreed() {
        run.fail(new IllegalStateException("failed"));
        if (!(start() instanceof AsyncRun again)) {
            return false;
        }
        again.abandon();
        return true;
    }

    @Test
    void requestThatNeverArrivedFreesItsKey() {
        gate.refuseAhead();
        assertThat(isFreed()).isTrue();
    }

    @Test
    void argumentThatFailedFreesTheKey() throws Exception {
        gate.arrive();
        assertThat(gate.isBefore(charge())).isTrue();
        gate.refuseArrived();
        assertThat(isFreed()).isTrue();
    }

    @Test
    void requestThatArrivedIsNotTakenForOneThatDidNot() throws Exception {
        gate.arrive();
        gate.refuseAhead();
        assertThat(isFreed()).isFalse();
    }

    @Test
    void proofOfAnotherMethodIsNone() throws Exception {
        gate.arrive();
        assertThat(gate.isBefore(Shop.class.getDeclaredMethod("refund"))).isFalse();
    }

    @Test
    void proofBeforeArrivalIsNone() throws Exception {
        assertThat(gate.isBefore(charge())).isFalse();
        gate.refuseArrived();
        assertThat(isFreed()).isFalse();
    }

    @Test
    void secondArrivalHasBegun() throws Exception {
        gate.arrive();
        gate.arrive();
        assertThat(gate.isBefore(charge())).isFalse();
        gate.refuseArrived();
        assertThat(isFreed()).isFalse();
    }

    @Test
    void handlerAssumedBegunIsNeverFreed() {
        gate.assumeBegun();
        gate.refuseAhead();
        gate.refuseArrived();
        assertThat(isFreed()).isFalse();
    }

    @Test
    void handlerIsNotEnteredAfterItsKeyWasFreed() throws Exception {
        gate.arrive();
        gate.refuseArrived();
        assertThatThrownBy(gate::begin).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void requestWithoutClaimIsLeftAlone() throws Exception {
        new HandlerGate(handler(), Optional::empty).refuseAhead();
        assertThat(isFreed()).isFalse();
    }
}
