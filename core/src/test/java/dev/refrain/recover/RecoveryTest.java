package dev.refrain.recover;

import static dev.refrain.testing.Until.advancing;
import static dev.refrain.testing.Until.until;
import static dev.refrain.testing.World.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.AttentionException;
import dev.refrain.Leased;
import dev.refrain.OutcomeNotKeptException;
import dev.refrain.Refrain;
import dev.refrain.Settings;
import dev.refrain.key.Identity;
import dev.refrain.observe.Event;
import dev.refrain.outcome.Outcome;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.ErasureOrder;
import dev.refrain.store.State;
import dev.refrain.store.TakeOver;
import dev.refrain.store.Write;
import dev.refrain.testing.Background;
import dev.refrain.testing.Gate;
import dev.refrain.testing.ManualEnvironment;
import dev.refrain.testing.ScriptedStore;
import dev.refrain.testing.ScriptedStore.Verb;
import dev.refrain.testing.World;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What brings abandoned, expired and doubtful records to an end. */
class RecoveryTest {

    private final World world = new World();
    private final Refrain refrain = world.process();
    private final AtomicInteger effects = new AtomicInteger();
    private final List<Gate> graves = new ArrayList<>();

    @AfterEach
    void endTheDead() {
        graves.forEach(Gate::open);
    }

    private Leased<String> pay(TakeOver takeOver) {
        return refrain.operation("pay", String.class).leased(takeOver);
    }

    private String run(TakeOver takeOver, String key) {
        return pay(takeOver).run(SCOPE, key, "x", claim -> "paid " + effects.incrementAndGet());
    }

    /** Its process stops in the middle of the work: its time stands still, and nothing more comes of it. */
    private void crash(TakeOver takeOver, String key) {
        var grave = new Gate();
        graves.add(grave);
        var doomed = world.process(world.settings().with(new ManualEnvironment()))
                .operation("pay", String.class)
                .leased(takeOver);
        Background.run(() -> doomed.run(SCOPE, key, "x", claim -> {
            grave.pass();
            throw new IllegalStateException("too late");
        }));
        grave.awaitArrival();
    }

    private AttentionItem inAttention(String key) {
        crash(TakeOver.HOLD, key);
        world.advance(Duration.ofSeconds(31));
        assertThatThrownBy(() -> run(TakeOver.HOLD, key)).isInstanceOf(AttentionException.class);
        return refrain.admin().listAttention(Optional.empty(), 100).stream()
                .filter(item -> item.identity().key().equals(key))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @EnumSource(TakeOver.class)
    void the_sweeper_settles_what_a_crash_left_and_nobody_retries_after_lease_and_grace(TakeOver takeOver) {
        crash(takeOver, "key-1");

        advancing(world, Duration.ofSeconds(5), () -> world.state("pay", "key-1") != State.IN_PROGRESS);

        assertThat(world.state("pay", "key-1"))
                .isEqualTo(takeOver == TakeOver.RESUME ? State.RELEASED : State.ATTENTION);
        assertThat(Duration.ofNanos(world.environment.nanoTime()))
                .as("lease and grace, and a round of the sweeper")
                .isBetween(Duration.ofSeconds(90), Duration.ofSeconds(120));
        assertThat(world.events.await(Event.Swept.class))
                .isEqualTo(takeOver == TakeOver.RESUME ? new Event.Swept(1, 0) : new Event.Swept(0, 1));
    }

    @Test
    void the_sweeper_leaves_alone_what_runs_and_what_is_settled() {
        var gate = new Gate();
        var slow = Background.run(() -> pay(TakeOver.HOLD).run(SCOPE, "slow", "x", claim -> {
            gate.pass();
            return "done";
        }));
        gate.awaitArrival();
        run(TakeOver.HOLD, "done");

        for (int i = 0; i < 60; i++) {
            world.advance(Duration.ofSeconds(5));
            until(() -> !world.record("pay", "slow").orElseThrow().isLeaseExpired());
        }

        assertThat(world.state("pay", "slow")).isEqualTo(State.IN_PROGRESS);
        assertThat(world.events.of(Event.Swept.class)).isEmpty();
        gate.open();
        assertThat(slow.get()).isEqualTo("done");
    }

    @Test
    void the_reaper_deletes_what_expired_and_nothing_that_is_unfinished() {
        refrain.close(Duration.ZERO);
        var reaping = world.process(
                world.settings().with(new Settings.Chores(Duration.ofDays(999), Duration.ZERO, Duration.ofMinutes(1))));
        var pay = reaping.operation("pay", String.class).leased(TakeOver.RESUME);
        pay.run(SCOPE, "done", "x", claim -> "done");
        assertThatThrownBy(() -> pay.run(SCOPE, "released", "x", claim -> {
                    throw new IllegalStateException();
                }))
                .isInstanceOf(IllegalStateException.class);
        crash(TakeOver.HOLD, "doubtful");
        crash(TakeOver.RESUME, "unfinished");
        world.memory.write(List.of(
                new Write.Escalate(world.record("pay", "doubtful").orElseThrow().claim(), "nobody knows")));
        world.clock.advance(Duration.ofDays(365));

        world.environment.advance(Duration.ofMinutes(1));
        world.events.await(Event.Reaped.class);

        assertThat(world.events.of(Event.Reaped.class))
                .extracting(Event.Reaped::count)
                .containsExactly(2);
        assertThat(world.record("pay", "done")).isEmpty();
        assertThat(world.record("pay", "released")).isEmpty();
        assertThat(world.state("pay", "doubtful")).isEqualTo(State.ATTENTION);
        assertThat(world.state("pay", "unfinished")).isEqualTo(State.IN_PROGRESS);
    }

    @Test
    void the_reaper_works_in_small_steps_until_nothing_is_left() {
        IntStream.range(0, 1_200).forEach(i -> run(TakeOver.RESUME, "key-" + i));
        world.clock.advance(Duration.ofDays(2));

        advancing(
                world,
                Duration.ofSeconds(1),
                () -> world.events.of(Event.Reaped.class).stream()
                                .mapToInt(Event.Reaped::count)
                                .sum()
                        == 1_200);

        assertThat(world.events.of(Event.Reaped.class))
                .extracting(Event.Reaped::count)
                .containsExactly(500, 500, 200);
    }

    @Test
    void workers_survive_a_store_that_fails() {
        world.store.next(Verb.SWEEP, ScriptedStore.away(), ScriptedStore.broken());
        world.store.next(Verb.REAP, ScriptedStore.refused());

        advancing(
                world,
                Duration.ofSeconds(15),
                () -> world.store.asked(Verb.SWEEP).size() > 8
                        && world.store.asked(Verb.REAP).size() > 2);

        assertThat(world.events.of(Event.StoreFailed.class))
                .extracting(Event.StoreFailed::call)
                .containsExactlyInAnyOrder("sweeper", "sweeper", "reaper");
    }

    @Test
    void closed_nothing_is_swept_or_reaped_any_more() {
        refrain.close(Duration.ZERO);

        world.advance(Duration.ofHours(1));

        assertThat(world.store.asked(Verb.SWEEP)).isEmpty();
        assertThat(world.store.asked(Verb.REAP)).isEmpty();
    }

    @Test
    void what_needs_a_decision_is_listed_oldest_first_and_by_pages() {
        inAttention("first");
        inAttention("second");
        inAttention("third");

        var operators = refrain.admin();
        var page = operators.listAttention(Optional.empty(), 2);
        var rest = operators.listAttention(Optional.of(page.getLast()), 2);

        assertThat(page).extracting(i -> i.identity().key()).containsExactly("first", "second");
        assertThat(rest).extracting(i -> i.identity().key()).containsExactly("third");
        assertThat(page.getFirst().age()).isGreaterThan(rest.getFirst().age());
        assertThat(page.getFirst().reason()).isNotBlank();
    }

    @Test
    void a_person_who_knows_the_outcome_resolves_and_a_retry_is_given_it() {
        var item = inAttention("key-1");
        var outcome = Outcome.Answer.of(200, "\"paid, says the bank\"".getBytes(StandardCharsets.UTF_8));

        assertThat(refrain.admin().resolve(item.claim(), outcome, "alice", "the bank confirmed"))
                .isTrue();

        assertThat(run(TakeOver.HOLD, "key-1")).isEqualTo("paid, says the bank");
        assertThat(effects).hasValue(0);
        assertThat(world.record("pay", "key-1").orElseThrow().fence()).isEqualTo(2);
        assertThat(refrain.admin().listAttention(Optional.empty(), 10)).isEmpty();
        assertThat(world.events.only(Event.Resolved.class))
                .isEqualTo(new Event.Resolved(item.claim().id(), "completed"));
        assertThat(refrain.admin().listAuditTrail(10)).singleElement().satisfies(entry -> {
            assertThat(entry.who()).isEqualTo("alice");
            assertThat(entry.why()).isEqualTo("the bank confirmed");
            assertThat(entry.target()).contains(item.claim().id().toString());
            assertThat(entry.at()).isEqualTo(world.clock.instant());
        });
    }

    @Test
    void a_person_who_knows_only_that_it_happened_resolves_with_the_state_alone() {
        var item = inAttention("key-1");

        refrain.admin().resolve(item.claim(), new Outcome.StateOnly(), "alice", "it is on the statement");

        assertThatThrownBy(() -> run(TakeOver.HOLD, "key-1")).isInstanceOf(OutcomeNotKeptException.class);
    }

    @Test
    void a_person_who_knows_that_nothing_happened_releases_and_a_retry_runs_under_the_same_record() {
        var item = inAttention("key-1");

        assertThat(refrain.admin().release(item.claim(), "alice", "never reached the bank"))
                .isTrue();

        assertThat(run(TakeOver.HOLD, "key-1")).isEqualTo("paid 1");
        var record = world.record("pay", "key-1").orElseThrow();
        assertThat(record.id()).isEqualTo(item.claim().id());
        assertThat(record.fence()).isEqualTo(3);
        assertThat(refrain.admin().listAuditTrail(10)).extracting(AuditEntry::who).containsExactly("alice");
    }

    @Test
    void a_record_that_moved_on_since_it_was_looked_at_is_not_touched() {
        var item = inAttention("key-1");
        refrain.admin().release(item.claim(), "alice", "nothing happened");
        run(TakeOver.HOLD, "key-1");
        var before = world.record("pay", "key-1");

        assertThat(refrain.admin().release(item.claim(), "bob", "nothing happened"))
                .isFalse();
        assertThat(refrain.admin().resolve(item.claim(), Outcome.Answer.of(500, new byte[0]), "bob", "it failed"))
                .isFalse();

        assertThat(world.record("pay", "key-1")).isEqualTo(before);
        assertThat(world.events.of(Event.Resolved.class)).hasSize(1);
        assertThat(refrain.admin().listAuditTrail(10)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  "})
    void nobody_acts_without_a_name_and_a_reason(String nothing) {
        var item = inAttention("key-1");
        var operators = refrain.admin();

        assertThatThrownBy(() -> operators.release(item.claim(), nothing, "why"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> operators.release(item.claim(), "alice", nothing))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> operators.erase(new ErasureOrder.OfScope(SCOPE), nothing, "why"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(world.state("pay", "key-1")).isEqualTo(State.ATTENTION);
    }

    @Test
    void erasing_goes_on_until_everything_is_erased_and_says_what_is_left_in_use() {
        IntStream.range(0, 2_100).forEach(i -> run(TakeOver.RESUME, "key-" + i));
        pay(TakeOver.RESUME).run("another", "key-1", "x", claim -> "theirs");
        inAttention("doubtful");

        var erased = refrain.admin().erase(new ErasureOrder.OfScope(SCOPE), "dpo", "left us");

        assertThat(erased.erased()).isEqualTo(2_100);
        assertThat(erased.leftInUse()).isEqualTo(1);
        assertThat(erased.hasMore()).isFalse();
        assertThat(world.events.only(Event.Erased.class)).isEqualTo(new Event.Erased(2_100, 1));
        assertThatThrownBy(() -> run(TakeOver.RESUME, "key-7")).isInstanceOf(OutcomeNotKeptException.class);
        assertThat(pay(TakeOver.RESUME).run("another", "key-1", "x", claim -> "again"))
                .isEqualTo("theirs");
        assertThat(refrain.admin().listAuditTrail(100))
                .allSatisfy(e -> assertThat(e.who()).isEqualTo("dpo"));
    }

    @Test
    void a_record_can_be_looked_at() {
        run(TakeOver.RESUME, "key-1");

        assertThat(refrain.admin().find(new Identity(SCOPE, "pay", "key-1")))
                .get()
                .extracting(r -> r.state())
                .isEqualTo(State.COMPLETED);
        assertThat(refrain.admin().find(new Identity(SCOPE, "pay", "nothing")))
                .isEmpty();
    }
}
