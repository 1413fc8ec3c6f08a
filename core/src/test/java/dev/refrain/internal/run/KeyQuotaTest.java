package dev.refrain.internal.run;

import static dev.refrain.testing.SharedStoreFixture.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.LeasedOperation;
import dev.refrain.OperationCall;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.QuotaReachedException;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.testing.BackgroundCall;
import dev.refrain.testing.ScriptedStore;
import dev.refrain.testing.ScriptedStore.StoreMethod;
import dev.refrain.testing.SharedStoreFixture;
import dev.refrain.testing.ThreadGate;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KeyQuotaTest {

    private final SharedStoreFixture world = new SharedStoreFixture();
    private final LeasedOperation<String> pay = world.process(world.settings().maxKeysPerScope(3))
            .operation("pay", String.class)
            .leased(LeaseExpiryPolicy.RESUME);

    private String run(String scope, String key) {
        world.advance(Duration.ofSeconds(1));
        return pay.run(OperationCall.scope(scope).key(key).request("x"), claim -> key);
    }

    @Test
    void scopeThatHoldsItsQuotaGetsNoNewKeyAndKeepsThoseItHas() {
        IntStream.rangeClosed(1, 3).forEach(i -> run(SCOPE, "key-" + i));

        assertThatThrownBy(() -> run(SCOPE, "key-4"))
                .isInstanceOfSatisfying(
                        QuotaReachedException.class, e -> assertThat(e.quota()).isEqualTo(3))
                .hasMessageContaining("quota of 3 keys");
        assertThat(run(SCOPE, "key-2")).as("keys that exist replay").isEqualTo("key-2");
        assertThat(run("another", "key-1")).isEqualTo("key-1");
        assertThat(world.events.only(RefrainEvent.QuotaReached.class).operation())
                .isEqualTo("pay");
        assertThat(world.record("pay", "key-4")).isEmpty();
    }

    @Test
    void keysThatExpiredAndWereReapedMakeRoom() {
        IntStream.rangeClosed(1, 3).forEach(i -> run(SCOPE, "key-" + i));
        world.clock.advance(Duration.ofDays(2));
        world.memory.reap(100);

        assertThat(run(SCOPE, "key-4")).isEqualTo("key-4");
    }

    @Test
    void scopeIsCountedAboutOnceASecondHoweverBusyItIs() {
        run(SCOPE, "key-1");
        int counted = world.store.asked(StoreMethod.COUNT).size();

        IntStream.range(0, 50)
                .forEach(i -> pay.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> "again"));

        assertThat(world.store.asked(StoreMethod.COUNT)).hasSize(counted);
    }

    @Test
    void whileOneCallerCountsTheOthersGoByTheLastCount() {
        run(SCOPE, "key-1");
        world.advance(Duration.ofSeconds(1));
        var gate = new ThreadGate();
        world.store.next(StoreMethod.COUNT, ScriptedStore.held(gate));
        var counting = BackgroundCall.run(
                () -> pay.run(OperationCall.scope(SCOPE).key("key-2").request("x"), claim -> "two"));
        gate.awaitArrival();

        assertThat(pay.run(OperationCall.scope(SCOPE).key("key-3").request("x"), claim -> "three"))
                .isEqualTo("three");

        gate.open();
        assertThat(counting.get()).isEqualTo("two");
    }

    @Test
    void scopeThatCannotBeCountedIsReportedAndRefusesNobody() {
        world.store.always(StoreMethod.COUNT, ScriptedStore.away());

        assertThat(run(SCOPE, "key-1")).isEqualTo("key-1");
        assertThat(world.events.of(RefrainEvent.StoreFailed.class))
                .extracting(RefrainEvent.StoreFailed::call)
                .containsOnly("quota");
    }
}
