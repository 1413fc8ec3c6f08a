package dev.refrain.observe;

import static dev.refrain.testing.AwaitCondition.advancing;
import static dev.refrain.testing.AwaitCondition.until;
import static dev.refrain.testing.SharedStoreFixture.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.LeasedOperation;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.RefrainSettings.CacheSettings;
import dev.refrain.RefrainSettings.WaiterLimits;
import dev.refrain.api.AttentionRequiredException;
import dev.refrain.api.InProgressException;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome;
import dev.refrain.api.OutcomeUnknownException;
import dev.refrain.api.QuotaReachedException;
import dev.refrain.api.RequestMismatchException;
import dev.refrain.observe.RefrainEvent.ClaimResult;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.RecordState;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoreOverloadedException;
import dev.refrain.testing.BackgroundCall;
import dev.refrain.testing.ManualEnvironment;
import dev.refrain.testing.ScriptedStore;
import dev.refrain.testing.ScriptedStore.StoreMethod;
import dev.refrain.testing.SharedStoreFixture;
import dev.refrain.testing.ThreadGate;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Everything observable, and nothing that should not be. */
class RefrainEventTest {

    private static final String KEY = "8e03978e-40d5-43dd-bc93-6894a57f9324";
    private static final String BODY = "card 4111 1111 1111 1111";
    private static final String ANSWER = "iban DE02 1203 0000 0000 2020 51";

    private static final Logger LOG = Logger.getLogger(RefrainListener.class.getName());

    private final SharedStoreFixture world = new SharedStoreFixture();

    @AfterEach
    void logAgain() {
        LOG.setLevel(null);
    }

    private LeasedOperation<String> pay(Refrain process, String name, LeaseExpiryPolicy takeOver) {
        return process.operation(name, String.class).leased(takeOver);
    }

    private String run(LeasedOperation<String> operation) {
        return operation.run(OperationCall.scope(SCOPE).key(KEY).request(BODY), claim -> ANSWER);
    }

    /** A day in the life of a store: every situation that has an event. */
    private void everythingHappens(RefrainListener listener) {
        var settings = world.settings().with(listener);
        var refrain = world.process(settings.with(CacheSettings.DEFAULT));
        var dead = world.process(settings.with(new ManualEnvironment()));

        // Claimed: acquired, replay, from the cache, mismatch. Completed. BatchSent.
        var pay = pay(refrain, "pay", LeaseExpiryPolicy.RESUME);
        for (int i = 0; i < 3; i++) {
            assertThat(run(pay)).isEqualTo(ANSWER);
        }
        assertThatThrownBy(() -> pay.run(OperationCall.scope(SCOPE).key(KEY).request(BODY + "1"), claim -> ANSWER))
                .isInstanceOf(RequestMismatchException.class);

        // Released, Resumed.
        var resumed = pay(refrain, "resumed", LeaseExpiryPolicy.RESUME);
        assertThatThrownBy(() -> resumed.run(OperationCall.scope(SCOPE).key(KEY).request(BODY), claim -> {
                    throw new IllegalStateException(BODY);
                }))
                .isInstanceOf(IllegalStateException.class);
        run(resumed);

        // OutcomeNotKept and StoreFailed, by a store that refuses the bytes and quotes them.
        world.store.next(StoreMethod.WRITE, (rows, call) -> {
            throw RowRejectedException.badData("cannot be stored", null);
        });
        run(pay(refrain, "unstorable", LeaseExpiryPolicy.RESUME));

        // Claimed in progress; Waited; WaitRefused; Overran; FencedOut.
        var limited = world.process(settings.with(new WaiterLimits(1, 1)));
        var waiting = limited.operation("slow", String.class)
                .waitWhileInFlight(Duration.ofSeconds(1))
                .maxRunTime(Duration.ofMinutes(1))
                .leased(LeaseExpiryPolicy.RESUME);
        var gate = new ThreadGate();
        var slow = BackgroundCall.run(
                () -> waiting.run(OperationCall.scope(SCOPE).key(KEY).request(BODY), claim -> {
                    gate.pass();
                    return "late";
                }));
        gate.awaitArrival();
        var waiter = BackgroundCall.run(() -> run(waiting)).parked();
        assertThatThrownBy(() -> run(waiting)).isInstanceOf(InProgressException.class);
        advancing(world, Duration.ofMillis(200), waiter::isDone);
        advancing(
                world,
                Duration.ofSeconds(1),
                () -> world.record("slow", KEY).orElseThrow().isLeaseExpired());
        run(pay(refrain, "slow", LeaseExpiryPolicy.RESUME));
        gate.open();
        assertThat(slow.get()).isEqualTo(ANSWER);

        // OutcomeUnknown.
        world.store.always(StoreMethod.WRITE, (rows, call) -> {
            throw RowRejectedException.badData("never", null);
        });
        assertThatThrownBy(() -> run(pay(refrain, "unknown", LeaseExpiryPolicy.RESUME)))
                .isInstanceOf(OutcomeUnknownException.class);
        world.store.heal();

        // FailedOpen.
        world.store.next(StoreMethod.CLAIM, ScriptedStore.refused());
        run(refrain.operation("open", String.class).failOpen().leased(LeaseExpiryPolicy.RESUME));

        storeIsOverloaded(world.process(settings));

        // QuotaReached.
        var poor = pay(world.process(settings.maxKeysPerScope(1)), "poor", LeaseExpiryPolicy.RESUME);
        assertThatThrownBy(() -> run(poor)).isInstanceOf(QuotaReachedException.class);

        // Swept; claimed in attention; Resolved.
        var grave = new ThreadGate();
        var buried = BackgroundCall.run(() -> pay(dead, "held", LeaseExpiryPolicy.HOLD)
                .run(OperationCall.scope(SCOPE).key(KEY).request(BODY), claim -> {
                    grave.pass();
                    return ANSWER;
                }));
        grave.awaitArrival();
        advancing(world, Duration.ofSeconds(5), () -> world.state("held", KEY) == RecordState.ATTENTION);
        assertThatThrownBy(() -> run(pay(refrain, "held", LeaseExpiryPolicy.HOLD)))
                .isInstanceOf(AttentionRequiredException.class);
        var item = refrain.admin().listAttention(1).getFirst();
        refrain.admin().resolve(item.claim(), Outcome.Answer.of(200, new byte[0]), "alice", "asked the bank");
        grave.open();
        buried.failure();

        // Erased, Reaped.
        refrain.admin().erase(new ErasureRequest.OfScope(SCOPE), "dpo", "left us");
        world.clock.advance(Duration.ofDays(3));
        int reaped = world.store.asked(StoreMethod.REAP).size();
        advancing(
                world,
                Duration.ofSeconds(15),
                () -> world.store.asked(StoreMethod.REAP).size() > reaped);
    }

    /** StoreOverloaded: a claim that would be answered too late, by a store that was slow, while another one waits. */
    private void storeIsOverloaded(Refrain refrain) {
        var patient = refrain.operation("patient", String.class)
                .storeTimeout(Duration.ofSeconds(20))
                .leased(LeaseExpiryPolicy.RESUME);
        world.store.next(StoreMethod.CLAIM, (rows, call) -> {
            world.advance(Duration.ofSeconds(5));
            return call.get();
        });
        patient.run(OperationCall.scope(SCOPE).key("slow").request(BODY), claim -> ANSWER);
        var gate = new ThreadGate();
        world.store.next(StoreMethod.CLAIM, (rows, call) -> {
            gate.pass();
            return call.get();
        });
        var inFlight = BackgroundCall.run(
                () -> patient.run(OperationCall.scope(SCOPE).key("in-flight").request(BODY), claim -> ANSWER));
        gate.awaitArrival();
        var hasty = BackgroundCall.run(() -> run(pay(refrain, "hasty", LeaseExpiryPolicy.RESUME)))
                .parked();
        var waiting = BackgroundCall.run(() ->
                        patient.run(OperationCall.scope(SCOPE).key("waiting").request(BODY), claim -> ANSWER))
                .parked();
        gate.open();
        assertThat(hasty.failure()).isInstanceOf(StoreOverloadedException.class);
        assertThat(inFlight.get()).isEqualTo(ANSWER);
        assertThat(waiting.get()).isEqualTo(ANSWER);
    }

    @Test
    void everyEventThereIsHappensInItsSituationAndNoneShowsAKeyAScopeOrABody() {
        everythingHappens(world.events);
        until(() -> !world.events.of(RefrainEvent.Reaped.class).isEmpty());

        assertThat(world.events.all())
                .extracting(Object::getClass)
                .contains(Arrays.stream(RefrainEvent.class.getPermittedSubclasses())
                        .filter(event -> !event.isInterface())
                        .toArray(Class[]::new));
        assertThat(world.events.of(RefrainEvent.Claimed.class))
                .extracting(RefrainEvent.Claimed::result)
                .contains(ClaimResult.values());
        assertThat(world.events.all())
                .extracting(Object::toString)
                .allSatisfy(text -> assertThat(text).doesNotContain(KEY, SCOPE, BODY, ANSWER));
    }

    @Test
    void listenerThatThrowsChangesNothing() {
        LOG.setLevel(Level.OFF);
        assertThatCode(() -> everythingHappens(event -> {
                    if (event instanceof RefrainEvent.Claimed) {
                        throw new NoClassDefFoundError("a class that a metrics library misses");
                    }
                    throw new IllegalStateException("a full queue");
                }))
                .doesNotThrowAnyException();
    }

    @Test
    void eachOfTwoListenersHearsEverythingEvenIfTheOtherThrows() {
        LOG.setLevel(Level.OFF);
        RefrainListener failing = event -> {
            throw new IllegalStateException("defect");
        };
        var heard = new CopyOnWriteArrayList<RefrainEvent>();
        var event = new RefrainEvent.Reaped(1);

        failing.and(heard::add).onEvent(event);
        ((RefrainListener) heard::add).and(failing).onEvent(event);

        assertThat(heard).containsExactly(event, event);
        RefrainListener.none().onEvent(event);
    }

    @Test
    void containingAListenerTwiceIsContainingItOnce() {
        var contained = RefrainListener.none().exceptionSafe();

        assertThat(contained.exceptionSafe()).isSameAs(contained);
    }
}
