package dev.refrain;

import static dev.refrain.testing.AwaitCondition.advancing;
import static dev.refrain.testing.AwaitCondition.until;
import static dev.refrain.testing.SharedStoreFixture.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.InProgressException;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordState;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoreOverloadedException;
import dev.refrain.testing.BackgroundCall;
import dev.refrain.testing.ScriptedStore;
import dev.refrain.testing.ScriptedStore.StoreMethod;
import dev.refrain.testing.SharedStoreFixture;
import dev.refrain.testing.ThreadGate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** If the store can't be asked, nothing runs, unless the operation fails open, and then loudly. */
class StoreOutageTest {

    private final SharedStoreFixture world = new SharedStoreFixture();
    private final Refrain refrain = world.process();
    private final AtomicInteger effects = new AtomicInteger();

    private BackgroundCall<String> run(LeasedOperation<String> operation) {
        return BackgroundCall.run(() -> operation.run(
                OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> "ran " + effects.incrementAndGet()));
    }

    private Operation<String> pay() {
        return refrain.operation("pay", String.class).storeTimeout(Duration.ofSeconds(2));
    }

    @ParameterizedTest
    @EnumSource(LeaseExpiryPolicy.class)
    void nothingRunsWhileTheStoreIsAwayAndTheCallerFailsWithinItsPatience(LeaseExpiryPolicy takeOver) {
        world.store.always(StoreMethod.CLAIM, ScriptedStore.away());
        var call = run(pay().leased(takeOver));

        advancing(world, Duration.ofMillis(50), call::isDone);

        assertThat(call.failure())
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.effect()).isEqualTo(Effect.NONE))
                .hasMessageContaining("The store is away.");
        assertThat(Duration.ofNanos(world.environment.nanoTime())).isLessThan(Duration.ofSeconds(4));
        assertThat(effects).hasValue(0);
    }

    @Test
    void storeThatComesBackWithinThePatienceIsNotNoticed() {
        world.store.next(
                StoreMethod.CLAIM, ScriptedStore.away(), ScriptedStore.requestLost(), ScriptedStore.replyLost());
        var call = run(pay().leased(LeaseExpiryPolicy.RESUME));

        advancing(world, Duration.ofMillis(5), call::isDone);

        assertThat(call.get()).isEqualTo("ran 1");
        assertThat(world.record("pay", "key-1").orElseThrow().fence()).isEqualTo(1);
    }

    @Test
    void claimThatCameTooLateForItsCallerIsGivenBackAndARetryRunsAtOnce() {
        var gate = new ThreadGate();
        world.store.next(StoreMethod.CLAIM, ScriptedStore.replyHeld(gate));
        var call = run(pay().leased(LeaseExpiryPolicy.HOLD));
        gate.awaitArrival();
        world.advance(Duration.ofSeconds(3));
        assertThat(call.failure())
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.effect()).isEqualTo(Effect.UNKNOWN));

        gate.open();

        until(() -> world.state("pay", "key-1") == RecordState.RELEASED);
        assertThat(run(pay().leased(LeaseExpiryPolicy.HOLD)).get()).isEqualTo("ran 1");
    }

    @ParameterizedTest
    @EnumSource(LeaseExpiryPolicy.class)
    void claimWhoseReplyTookLongerThanItsLeaseIsNotRunUnder(LeaseExpiryPolicy takeOver) {
        var gate = new ThreadGate();
        world.store.next(StoreMethod.CLAIM, ScriptedStore.replyHeld(gate));
        var call = run(pay().lease(Duration.ofSeconds(1)).leased(takeOver));
        gate.awaitArrival();
        world.advance(Duration.ofMillis(1_500));

        gate.open();

        assertThat(call.failure())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("only after the lease was over. Nothing ran");
        assertThat(effects).hasValue(0);
        assertThat(world.state("pay", "key-1")).isEqualTo(RecordState.RELEASED);
    }

    @Test
    void operationThatFailsOpenRunsUnprotectedAndEverySuchRunIsReported() {
        world.store.always(StoreMethod.CLAIM, ScriptedStore.away());
        var open = pay().failOpen().leased(LeaseExpiryPolicy.RESUME);
        for (int i = 1; i <= 2; i++) {
            var call = run(open);
            advancing(world, Duration.ofMillis(50), call::isDone);
            assertThat(call.get()).isEqualTo("ran " + i);
        }

        assertThat(world.events.of(RefrainEvent.FailedOpen.class)).hasSize(2).allSatisfy(e -> {
            assertThat(e.operation()).isEqualTo("pay");
            assertThat(e.cause()).hasMessageContaining("away");
        });
        assertThat(world.record("pay", "key-1")).isEmpty();
    }

    @Test
    void unprotectedRunsOfOneKeySendTheSameDerivedKeysAndNotTheClients() {
        world.store.always(StoreMethod.CLAIM, ScriptedStore.refused());
        var open = pay().failOpen().leased(LeaseExpiryPolicy.RESUME);
        var keys = new ArrayList<String>();
        for (int i = 0; i < 2; i++) {
            open.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> {
                keys.add(claim.derivedKey("charge"));
                claim.keepStateOnly("steering counts for nothing here");
                assertThat(claim.isLost()).isFalse();
                return "ran";
            });
        }
        open.run(OperationCall.scope(SCOPE).key("key-2").request("x"), claim -> {
            keys.add(claim.derivedKey("charge"));
            return "ran";
        });

        assertThat(keys.get(0)).isEqualTo(keys.get(1)).isNotEqualTo(keys.get(2)).doesNotContain("key-1");
    }

    @Test
    void failingOpenWhatTheWorkThrowsIsThrown() {
        world.store.always(StoreMethod.CLAIM, ScriptedStore.refused());

        assertThatThrownBy(() -> pay().failOpen()
                        .leased(LeaseExpiryPolicy.RESUME)
                        .run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> {
                            throw new IllegalStateException("boom");
                        }))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void rowThatTheStoreRefusesOrSomeoneHasLockedIsNotAStoreThatIsAway() {
        var open = pay().failOpen().leased(LeaseExpiryPolicy.RESUME);
        for (var why : new RowRejectedException[] {
            RowRejectedException.badData("another identity has it", null), RowRejectedException.locked("locked", null)
        }) {
            world.store.next(StoreMethod.CLAIM, (rows, call) -> List.of(new ClaimResponse.Failed(why)));
            assertThat(run(open).failure()).isSameAs(why);
        }
        assertThat(effects).hasValue(0);
        assertThat(world.events.of(RefrainEvent.FailedOpen.class)).isEmpty();
    }

    @Test
    void storeThatAnswersThatItIsTooBusyIsNotAway() {
        var busy = StoreException.unavailable("somebody holds the row", Effect.NONE, null);
        world.store.always(StoreMethod.CLAIM, (rows, call) -> List.of(new ClaimResponse.Failed(busy)));
        var call = run(pay().failOpen().leased(LeaseExpiryPolicy.RESUME));

        advancing(world, Duration.ofMillis(50), call::isDone);

        assertThat(call.failure())
                .isInstanceOf(StoreOverloadedException.class)
                .hasMessageContaining("somebody holds the row");
        assertThat(effects).hasValue(0);
        assertThat(world.events.of(RefrainEvent.FailedOpen.class)).isEmpty();
    }

    /** As behind a replay cache that answers other keys of the batch. */
    @Test
    void storeThatCouldNotBeAskedForOneElementIsAway() {
        var away = StoreException.unavailable("the database is away", Effect.NONE, null);
        world.store.always(StoreMethod.CLAIM, (rows, call) -> List.of(new ClaimResponse.Failed(away, true)));
        var call = run(pay().failOpen().leased(LeaseExpiryPolicy.RESUME));

        advancing(world, Duration.ofMillis(50), call::isDone);

        assertThat(call.get()).isEqualTo("ran 1");
        assertThat(world.events.of(RefrainEvent.FailedOpen.class))
                .singleElement()
                .satisfies(opened -> assertThat(opened.cause()).hasMessageContaining("the database is away"));
    }

    @Test
    void waiterDoesNotRunUnprotectedWhenTheStoreGoesAwayWhileItWaits() {
        var gate = new ThreadGate();
        var open = pay().failOpen().waitWhileInFlight(Duration.ofSeconds(5)).leased(LeaseExpiryPolicy.RESUME);
        var first = BackgroundCall.run(
                () -> open.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> {
                    gate.pass();
                    throw new IllegalStateException("and it fails");
                }));
        gate.awaitArrival();
        var waiter = run(open).parked();
        world.store.always(StoreMethod.CLAIM, ScriptedStore.refused());

        gate.open();

        assertThat(first.failure()).isInstanceOf(IllegalStateException.class);
        assertThat(waiter.failure()).isInstanceOf(InProgressException.class);
        assertThat(effects).hasValue(0);
    }
}
