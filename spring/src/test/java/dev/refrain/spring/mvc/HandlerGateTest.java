package dev.refrain.spring.mvc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.LeasedOperation;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.api.Claim;
import dev.refrain.api.DetachedRun;
import dev.refrain.api.DetachedRunStart;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome;
import dev.refrain.http.servlet.RefrainFilter;
import dev.refrain.store.memory.MemoryStore;
import java.lang.reflect.Method;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.method.HandlerMethod;

class HandlerGateTest {

    private final Refrain refrain = Refrain.using(new MemoryStore());
    private final LeasedOperation<Outcome.Answer> operation =
            refrain.operation("charge").leased(LeaseExpiryPolicy.HOLD);
    private final MockHttpServletRequest request = new MockHttpServletRequest();
    private DetachedRun run;
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
    void claimKey() {
        run = begin();
        request.setAttribute(RefrainFilter.CLAIM, run.claim());
        HandlerGate.attachTo(request);
        gate = HandlerGate.of(request).orElseThrow();
    }

    @AfterEach
    void close() {
        if (!run.hasEnded()) {
            run.abandon();
        }
        refrain.close();
    }

    private DetachedRun begin() {
        return (DetachedRun) start();
    }

    private DetachedRunStart start() {
        return operation.startDetached(OperationCall.scope("").key("key").request("request"));
    }

    /** With HOLD a failure is kept, unless nothing happened. */
    private boolean isFreed() {
        run.fail(new IllegalStateException("failed"));
        if (!(start() instanceof DetachedRun again)) {
            return false;
        }
        again.abandon();
        return true;
    }

    @Test
    void requestThatNeverArrivedFreesItsKey() {
        gate.refuseAhead(request);
        assertThat(isFreed()).isTrue();
    }

    @Test
    void argumentThatFailedFreesTheKey() throws Exception {
        gate.arrive(handler());
        assertThat(gate.isBefore(charge())).isTrue();
        gate.refuseArrived(request);
        assertThat(isFreed()).isTrue();
    }

    @Test
    void requestThatArrivedIsNotTakenForOneThatDidNot() throws Exception {
        gate.arrive(handler());
        gate.refuseAhead(request);
        assertThat(isFreed()).isFalse();
    }

    @Test
    void proofOfAnotherMethodIsNone() throws Exception {
        gate.arrive(handler());
        assertThat(gate.isBefore(Shop.class.getDeclaredMethod("refund"))).isFalse();
    }

    @Test
    void proofBeforeArrivalIsNone() throws Exception {
        assertThat(gate.isBefore(charge())).isFalse();
        gate.refuseArrived(request);
        assertThat(isFreed()).isFalse();
    }

    @Test
    void secondArrivalHasBegun() throws Exception {
        gate.arrive(handler());
        gate.arrive(handler());
        assertThat(gate.isBefore(charge())).isFalse();
        gate.refuseArrived(request);
        assertThat(isFreed()).isFalse();
    }

    @Test
    void whatGoesOnElsewhereHasBegun() {
        gate.assumeBegun();
        gate.refuseAhead(request);
        gate.refuseArrived(request);
        assertThat(isFreed()).isFalse();
    }

    @Test
    void handlerIsNotEnteredAfterItsKeyWasFreed() throws Exception {
        gate.arrive(handler());
        gate.refuseArrived(request);
        assertThatThrownBy(gate::begin).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void requestWithoutClaimIsLeftAlone() {
        request.removeAttribute(RefrainFilter.CLAIM);
        gate.refuseAhead(request);
        assertThat((Claim) request.getAttribute(RefrainFilter.CLAIM)).isNull();
    }
}
