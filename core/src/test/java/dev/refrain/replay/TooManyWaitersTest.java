package dev.refrain.replay;

import static dev.refrain.testing.Until.advancing;
import static dev.refrain.testing.World.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.InProgressException;
import dev.refrain.observe.Event;
import dev.refrain.store.TakeOver;
import dev.refrain.testing.Background;
import dev.refrain.testing.Gate;
import dev.refrain.testing.ScriptedStore;
import dev.refrain.testing.ScriptedStore.Verb;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Nobody waits without bounds. */
class TooManyWaitersTest extends WithWaiters {

    @Test
    void too_many_waiters_of_a_scope_are_told_at_once_and_other_scopes_still_wait() {
        var limited = world.process(world.settings().with(new Waiters.Limits(2, 100)));
        var pay = pay(limited, TakeOver.RESUME, LIMIT);
        var gate = new Gate();
        var first = runner(pay, gate);
        var other = new Gate();
        var otherScope = Background.run(() -> pay.run("other", "key-1", "x", claim -> {
            other.pass();
            return "theirs";
        }));
        other.awaitArrival();
        var waiting = waiters(2, pay);

        var third = Background.run(() -> pay.run(SCOPE, "key-1", "x", claim -> charge()));
        assertThat(third.failure()).isInstanceOf(InProgressException.class);
        assertThat(world.events.only(Event.WaitRefused.class).operation()).isEqualTo("pay");
        var waitsElsewhere = Background.run(() -> pay.run("other", "key-1", "x", claim -> charge()))
                .parked();

        gate.open();
        other.open();
        assertThat(waiting.stream().map(Background::get)).containsOnly("paid 1");
        assertThat(waitsElsewhere.get()).isEqualTo("theirs");
        first.get();
        otherScope.get();
    }

    @Test
    void too_many_waiters_of_an_instance_are_told_at_once_and_a_place_that_is_free_again_is_given() {
        var limited = world.process(world.settings().with(new Waiters.Limits(100, 1)));
        var pay = pay(limited, TakeOver.RESUME, LIMIT);
        var gate = new Gate();
        var first = runner(pay, gate);
        var waiting = waiter(pay);

        assertThat(Background.run(() -> pay.run(SCOPE, "key-1", "x", claim -> charge()))
                        .failure())
                .isInstanceOf(InProgressException.class);
        advancing(world, Duration.ofMillis(100), waiting::isDone);
        var next = waiter(pay);

        gate.open();
        assertThat(next.get()).isEqualTo("paid 1");
        first.get();
    }

    @Test
    void closing_dismisses_those_who_wait_and_whoever_would_begin_to() {
        var gate = new Gate();
        var runsElsewhere = runner(pay(world.process(), TakeOver.RESUME, LIMIT), gate);
        var pay = pay();
        var waiting = waiter(pay);
        var claimGate = new Gate();
        world.store.next(Verb.CLAIM, ScriptedStore.replyHeld(claimGate));
        var late = Background.run(() -> pay.run(SCOPE, "key-1", "x", claim -> charge()));
        claimGate.awaitArrival();

        var closing = Background.run(() -> refrain.close(Duration.ofSeconds(30)));
        assertThat(waiting.failure()).isInstanceOf(InProgressException.class);
        claimGate.open();
        assertThat(late.failure()).isInstanceOf(InProgressException.class);
        advancing(world, Duration.ofMillis(20), closing::isDone);

        assertThat(closing.get()).isEmpty();
        gate.open();
        runsElsewhere.get();
    }
}
