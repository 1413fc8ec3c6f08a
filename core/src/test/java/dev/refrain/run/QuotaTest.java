package dev.refrain.run;

import static dev.refrain.testing.World.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.Leased;
import dev.refrain.observe.Event;
import dev.refrain.store.TakeOver;
import dev.refrain.testing.Background;
import dev.refrain.testing.Gate;
import dev.refrain.testing.ScriptedStore;
import dev.refrain.testing.ScriptedStore.Verb;
import dev.refrain.testing.World;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class QuotaTest {

    private final World world = new World();
    private final Leased<String> pay = world.process(world.settings().maxKeysPerScope(3))
            .operation("pay", String.class)
            .leased(TakeOver.RESUME);

    private String run(String scope, String key) {
        world.advance(Duration.ofSeconds(1));
        return pay.run(scope, key, "x", claim -> key);
    }

    @Test
    void a_scope_that_holds_its_quota_gets_no_new_key_and_keeps_those_it_has() {
        IntStream.rangeClosed(1, 3).forEach(i -> run(SCOPE, "key-" + i));

        assertThatThrownBy(() -> run(SCOPE, "key-4"))
                .isInstanceOfSatisfying(
                        QuotaReachedException.class, e -> assertThat(e.quota()).isEqualTo(3))
                .hasMessageContaining("quota of 3 keys");
        assertThat(run(SCOPE, "key-2")).as("keys that exist replay").isEqualTo("key-2");
        assertThat(run("another", "key-1")).isEqualTo("key-1");
        assertThat(world.events.only(Event.QuotaReached.class).operation()).isEqualTo("pay");
        assertThat(world.record("pay", "key-4")).isEmpty();
    }

    @Test
    void keys_that_expired_and_were_reaped_make_room() {
        IntStream.rangeClosed(1, 3).forEach(i -> run(SCOPE, "key-" + i));
        world.clock.advance(Duration.ofDays(2));
        world.memory.reap(100);

        assertThat(run(SCOPE, "key-4")).isEqualTo("key-4");
    }

    @Test
    void a_scope_is_counted_about_once_a_second_however_busy_it_is() {
        run(SCOPE, "key-1");
        int counted = world.store.asked(Verb.COUNT).size();

        IntStream.range(0, 50).forEach(i -> pay.run(SCOPE, "key-1", "x", claim -> "again"));

        assertThat(world.store.asked(Verb.COUNT)).hasSize(counted);
    }

    @Test
    void while_one_caller_counts_the_others_go_by_the_last_count() {
        run(SCOPE, "key-1");
        world.advance(Duration.ofSeconds(1));
        var gate = new Gate();
        world.store.next(Verb.COUNT, ScriptedStore.held(gate));
        var counting = Background.run(() -> pay.run(SCOPE, "key-2", "x", claim -> "two"));
        gate.awaitArrival();

        assertThat(pay.run(SCOPE, "key-3", "x", claim -> "three")).isEqualTo("three");

        gate.open();
        assertThat(counting.get()).isEqualTo("two");
    }

    @Test
    void if_a_scope_cannot_be_counted_nobody_is_refused_for_that_and_it_is_told() {
        world.store.always(Verb.COUNT, ScriptedStore.away());

        assertThat(run(SCOPE, "key-1")).isEqualTo("key-1");
        assertThat(world.events.of(Event.StoreFailed.class))
                .extracting(Event.StoreFailed::call)
                .containsOnly("quota");
    }
}
