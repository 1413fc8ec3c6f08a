package dev.refrain.observe;

import static dev.refrain.testing.Until.advancing;
import static dev.refrain.testing.Until.until;
import static dev.refrain.testing.World.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.AttentionException;
import dev.refrain.InProgressException;
import dev.refrain.Leased;
import dev.refrain.MismatchException;
import dev.refrain.Refrain;
import dev.refrain.observe.Event.Result;
import dev.refrain.outcome.Outcome;
import dev.refrain.replay.OutcomeCache;
import dev.refrain.replay.Waiters;
import dev.refrain.run.OutcomeUnknownException;
import dev.refrain.run.QuotaReachedException;
import dev.refrain.store.ErasureOrder;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.State;
import dev.refrain.store.TakeOver;
import dev.refrain.testing.Background;
import dev.refrain.testing.Gate;
import dev.refrain.testing.ManualEnvironment;
import dev.refrain.testing.ScriptedStore;
import dev.refrain.testing.ScriptedStore.Verb;
import dev.refrain.testing.World;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Everything observable, and nothing that should not be. */
class EventsTest {

    private static final String KEY = "8e03978e-40d5-43dd-bc93-6894a57f9324";
    private static final String BODY = "card 4111 1111 1111 1111";
    private static final String ANSWER = "iban DE02 1203 0000 0000 2020 51";

    private static final Logger LOG = Logger.getLogger(Listener.class.getName());

    private final World world = new World();

    @AfterEach
    void logAgain() {
        LOG.setLevel(null);
    }

    private Leased<String> pay(Refrain process, String name, TakeOver takeOver) {
        return process.operation(name, String.class).leased(takeOver);
    }

    private String run(Leased<String> operation) {
        return operation.run(SCOPE, KEY, BODY, claim -> ANSWER);
    }

    /** A day in the life of a store: every situation that has an event. */
    private void everythingHappens(Listener listener) {
        var settings = world.settings().with(listener);
        var refrain = world.process(settings.with(OutcomeCache.Settings.DEFAULT));
        var dead = world.process(settings.with(new ManualEnvironment()));

        // Claimed: acquired, replay, from the cache, mismatch. Completed. BatchSent.
        var pay = pay(refrain, "pay", TakeOver.RESUME);
        for (int i = 0; i < 3; i++) {
            assertThat(run(pay)).isEqualTo(ANSWER);
        }
        assertThatThrownBy(() -> pay.run(SCOPE, KEY, BODY + "1", claim -> ANSWER))
                .isInstanceOf(MismatchException.class);

        // Released, Resumed.
        var resumed = pay(refrain, "resumed", TakeOver.RESUME);
        assertThatThrownBy(() -> resumed.run(SCOPE, KEY, BODY, claim -> {
                    throw new IllegalStateException(BODY);
                }))
                .isInstanceOf(IllegalStateException.class);
        run(resumed);

        // OutcomeNotKept and StoreFailed, by a store that refuses the bytes and quotes them.
        world.store.next(Verb.WRITE, (rows, call) -> {
            throw RowRejectedException.badData("cannot be stored", null);
        });
        run(pay(refrain, "unstorable", TakeOver.RESUME));

        // Claimed in progress; Waited; WaitRefused; Overran; FencedOut.
        var limited = world.process(settings.with(new Waiters.Limits(1, 1)));
        var waiting = limited.operation("slow", String.class)
                .waitForOutcome(Duration.ofSeconds(1))
                .maxRunTime(Duration.ofMinutes(1))
                .leased(TakeOver.RESUME);
        var gate = new Gate();
        var slow = Background.run(() -> waiting.run(SCOPE, KEY, BODY, claim -> {
            gate.pass();
            return "late";
        }));
        gate.awaitArrival();
        var waiter = Background.run(() -> run(waiting)).parked();
        assertThatThrownBy(() -> run(waiting)).isInstanceOf(InProgressException.class);
        advancing(world, Duration.ofMillis(200), waiter::isDone);
        advancing(
                world,
                Duration.ofSeconds(1),
                () -> world.record("slow", KEY).orElseThrow().isLeaseExpired());
        run(pay(refrain, "slow", TakeOver.RESUME));
        gate.open();
        assertThat(slow.get()).isEqualTo(ANSWER);

        // OutcomeUnknown.
        world.store.always(Verb.WRITE, (rows, call) -> {
            throw RowRejectedException.badData("never", null);
        });
        assertThatThrownBy(() -> run(pay(refrain, "unknown", TakeOver.RESUME)))
                .isInstanceOf(OutcomeUnknownException.class);
        world.store.heal();

        // FailedOpen.
        world.store.next(Verb.CLAIM, ScriptedStore.refused());
        run(refrain.operation("open", String.class).failOpen().leased(TakeOver.RESUME));

        // QuotaReached.
        var poor = pay(world.process(settings.maxKeysPerScope(1)), "poor", TakeOver.RESUME);
        assertThatThrownBy(() -> run(poor)).isInstanceOf(QuotaReachedException.class);

        // Swept; claimed in attention; Resolved.
        var grave = new Gate();
        var buried = Background.run(() -> pay(dead, "held", TakeOver.HOLD).run(SCOPE, KEY, BODY, claim -> {
            grave.pass();
            return ANSWER;
        }));
        grave.awaitArrival();
        advancing(world, Duration.ofSeconds(5), () -> world.state("held", KEY) == State.ATTENTION);
        assertThatThrownBy(() -> run(pay(refrain, "held", TakeOver.HOLD))).isInstanceOf(AttentionException.class);
        var item = refrain.admin().listAttention(Optional.empty(), 1).getFirst();
        refrain.admin().resolve(item.claim(), Outcome.Answer.of(200, new byte[0]), "alice", "asked the bank");
        grave.open();
        buried.failure();

        // Erased, Reaped.
        refrain.admin().erase(new ErasureOrder.OfScope(SCOPE), "dpo", "left us");
        world.clock.advance(Duration.ofDays(3));
        int reaped = world.store.asked(Verb.REAP).size();
        advancing(
                world,
                Duration.ofSeconds(15),
                () -> world.store.asked(Verb.REAP).size() > reaped);
    }

    @Test
    void every_event_there_is_happens_in_its_situation_and_none_shows_a_key_a_scope_or_a_body() {
        everythingHappens(world.events);
        until(() -> !world.events.of(Event.Reaped.class).isEmpty());

        assertThat(world.events.all())
                .extracting(Object::getClass)
                .contains(Arrays.stream(Event.class.getPermittedSubclasses())
                        .filter(event -> !event.isInterface())
                        .toArray(Class[]::new));
        assertThat(world.events.of(Event.Claimed.class))
                .extracting(Event.Claimed::result)
                .contains(Result.values());
        assertThat(world.events.all())
                .extracting(Object::toString)
                .allSatisfy(text -> assertThat(text).doesNotContain(KEY, SCOPE, BODY, ANSWER));
    }

    @Test
    void a_listener_that_throws_changes_nothing() {
        LOG.setLevel(Level.OFF);
        assertThatCode(() -> everythingHappens(event -> {
                    if (event instanceof Event.Claimed) {
                        throw new NoClassDefFoundError("a class that a metrics library misses");
                    }
                    throw new IllegalStateException("a full queue");
                }))
                .doesNotThrowAnyException();
    }

    @Test
    void of_two_listeners_each_hears_everything_even_if_the_other_throws() {
        LOG.setLevel(Level.OFF);
        Listener failing = event -> {
            throw new IllegalStateException("defect");
        };
        var heard = new CopyOnWriteArrayList<Event>();
        var event = new Event.Reaped(1);

        failing.and(heard::add).onEvent(event);
        ((Listener) heard::add).and(failing).onEvent(event);

        assertThat(heard).containsExactly(event, event);
        Listener.none().onEvent(event);
    }

    @Test
    void containing_a_listener_twice_is_containing_it_once() {
        var contained = Listener.none().exceptionSafe();

        assertThat(contained.exceptionSafe()).isSameAs(contained);
    }
}
