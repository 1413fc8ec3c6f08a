package dev.refrain.batch;

import static dev.refrain.testing.Until.advancing;
import static dev.refrain.testing.Until.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.fingerprint.Fingerprint;
import dev.refrain.fingerprint.Fingerprinter;
import dev.refrain.fingerprint.Request;
import dev.refrain.key.Identity;
import dev.refrain.outcome.Outcome;
import dev.refrain.outcome.OutcomeFormat;
import dev.refrain.outcome.Payload;
import dev.refrain.outcome.Retention;
import dev.refrain.store.ClaimAnswer;
import dev.refrain.store.ClaimRef;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.State;
import dev.refrain.store.StoreException;
import dev.refrain.store.TakeOver;
import dev.refrain.store.Write;
import dev.refrain.store.WriteAnswer;
import dev.refrain.testing.Background;
import dev.refrain.testing.Gate;
import dev.refrain.testing.ScriptedStore;
import dev.refrain.testing.ScriptedStore.Verb;
import dev.refrain.testing.World;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the lanes make of claims, writes and reads, before a real store. */
class LanesTest {

    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final World world = new World();
    private final List<ClaimRef> orphans = new CopyOnWriteArrayList<>();
    private final Lanes lanes = new Lanes(world.store, world.environment, world.events, orphans::add);

    private static Identity identity(String key) {
        return new Identity(World.SCOPE, "pay", key);
    }

    private ClaimRequest wish(String key, String body) {
        Fingerprint fingerprint = Fingerprinter.unkeyed().of(Request.of("pay", body));
        return ClaimRequest.of(
                identity(key),
                fingerprint,
                world.environment.newNonce(),
                LEASE,
                TakeOver.RESUME,
                Retention.of(Duration.ofHours(24)));
    }

    private Background<ClaimAnswer> claiming(ClaimRequest wish) {
        return Background.run(() -> lanes.claim(wish, PATIENCE)).parked();
    }

    private static Payload outcome(String body) {
        return OutcomeFormat.encode(Outcome.Answer.of(200, body.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    }

    @Test
    void of_twins_in_one_batch_one_acquires_and_the_others_find_it_running() {
        var gate = new Gate();
        world.store.next(Verb.CLAIM, ScriptedStore.held(gate));
        var lone = claiming(wish("other", "x"));
        gate.awaitArrival();
        var twins =
                IntStream.range(0, 20).mapToObj(i -> claiming(wish("k", "x"))).toList();
        gate.open();
        lone.get();

        var answers = twins.stream().map(Background::get).toList();
        assertThat(answers).filteredOn(a -> a instanceof ClaimAnswer.Acquired).hasSize(1);
        var acquired = ((ClaimAnswer.Acquired) answers.getFirst()).record();
        assertThat(answers.subList(1, 20))
                .allSatisfy(a -> assertThat(a).isInstanceOfSatisfying(ClaimAnswer.Found.class, found -> {
                    assertThat(found.record().id()).isEqualTo(acquired.id());
                    assertThat(found.record().state()).isEqualTo(State.IN_PROGRESS);
                }));
        assertThat(world.store.asked(Verb.CLAIM).get(1)).hasSize(1);
    }

    @Test
    void an_unlike_twin_in_one_batch_is_given_what_it_needs_to_see_that_it_is_unlike() {
        var gate = new Gate();
        world.store.next(Verb.CLAIM, ScriptedStore.held(gate));
        var lone = claiming(wish("other", "x"));
        gate.awaitArrival();
        var first = wish("k", "one euro");
        claiming(first);
        var unlike = claiming(wish("k", "two euros"));
        gate.open();
        lone.get();

        assertThat(unlike.get())
                .isInstanceOfSatisfying(
                        ClaimAnswer.Found.class,
                        found -> assertThat(found.record().fingerprint()).contains(first.fingerprint()));
    }

    @Test
    void a_lost_reply_is_asked_again_under_the_same_nonce_and_finds_its_own_claim() {
        world.store.next(Verb.CLAIM, ScriptedStore.replyLost());
        var wish = wish("k", "x");
        var claiming = claiming(wish);

        advancing(world, Duration.ofMillis(5), claiming::isDone);

        assertThat(claiming.get()).isInstanceOfSatisfying(ClaimAnswer.Acquired.class, acquired -> {
            assertThat(acquired.record().id().value()).isEqualTo(wish.nonce());
            assertThat(acquired.record().fence()).isEqualTo(1);
        });
        assertThat(world.store.asked(Verb.CLAIM))
                .hasSize(2)
                .allSatisfy(batch -> assertThat(batch)
                        .extracting(row -> ((ClaimRequest) row).nonce())
                        .isEqualTo(List.of(wish.nonce())));
    }

    @Test
    void a_completion_whose_reply_was_lost_is_asked_again_and_counts_once() {
        var acquired = (ClaimAnswer.Acquired) lanes.claim(wish("k", "x"), PATIENCE);
        world.store.next(Verb.WRITE, ScriptedStore.replyLost());
        var done = new Write.Complete(acquired.record().claim(), Optional.of(outcome("paid")), Optional.empty());
        var completing = Background.run(() -> lanes.write(done, PATIENCE)).parked();

        advancing(world, Duration.ofMillis(5), completing::isDone);

        assertThat(completing.get()).isInstanceOf(WriteAnswer.Written.class);
        assertThat(world.record("pay", "k").orElseThrow().outcome()).contains(outcome("paid"));
    }

    @Test
    void a_claim_acquired_for_someone_who_gave_up_is_handed_back() {
        var gate = new Gate();
        world.store.next(Verb.CLAIM, ScriptedStore.held(gate));
        var claiming = claiming(wish("k", "x"));
        gate.awaitArrival();
        world.advance(PATIENCE.plusMillis(100));
        assertThat(claiming.failure()).isInstanceOf(StoreException.class);

        gate.open();

        until(() -> orphans.size() == 1);
        assertThat(orphans.getFirst())
                .isEqualTo(world.record("pay", "k").orElseThrow().claim());
    }

    @Test
    void what_is_left_to_tidy_is_waited_for_and_not_for_ever() {
        var gate = new Gate();
        lanes.runInBackground(gate::pass);
        gate.awaitArrival();
        var waiting =
                Background.run(() -> lanes.awaitBackgroundTasks(Duration.ofSeconds(1))).parked();
        world.environment.advance(Duration.ofSeconds(2));
        assertThat(waiting.get()).isFalse();

        gate.open();
        await().until(() -> lanes.awaitBackgroundTasks(Duration.ZERO));
    }

    @Test
    void writes_under_different_fences_are_never_folded_and_each_is_judged_by_its_own() {
        var first = ((ClaimAnswer.Acquired) lanes.claim(wish("k", "x"), PATIENCE)).record();
        world.clock.advance(LEASE.plusSeconds(1));
        var second = ((ClaimAnswer.Acquired) lanes.claim(wish("k", "x"), PATIENCE)).record();
        assertThat(second.fence()).isEqualTo(2);

        var gate = new Gate();
        world.store.next(Verb.WRITE, ScriptedStore.held(gate));
        var elsewhere = Background.run(() ->
                lanes.write(new Write.Release(new ClaimRef(identity("z").hash(), first.id(), 1)), PATIENCE));
        gate.awaitArrival();
        var late = Background.run(() -> lanes.write(
                        new Write.Complete(first.claim(), Optional.of(outcome("stale")), Optional.empty()), PATIENCE))
                .parked();
        var own = Background.run(() -> lanes.write(
                        new Write.Complete(second.claim(), Optional.of(outcome("right")), Optional.empty()), PATIENCE))
                .parked();
        gate.open();
        elsewhere.get();

        assertThat(late.get()).isInstanceOf(WriteAnswer.Refused.class);
        assertThat(own.get()).isInstanceOf(WriteAnswer.Written.class);
        assertThat(world.record("pay", "k").orElseThrow().outcome()).contains(outcome("right"));
    }

    @Test
    void the_same_write_asked_twice_is_sent_once() {
        var claim = ((ClaimAnswer.Acquired) lanes.claim(wish("k", "x"), PATIENCE)).record();
        var gate = new Gate();
        world.store.next(Verb.WRITE, ScriptedStore.held(gate));
        var elsewhere = Background.run(() ->
                lanes.write(new Write.Release(new ClaimRef(identity("z").hash(), claim.id(), 1)), PATIENCE));
        gate.awaitArrival();
        var twice = IntStream.range(0, 2)
                .mapToObj(i -> Background.run(() -> lanes.write(new Write.Release(claim.claim()), PATIENCE))
                        .parked())
                .toList();
        gate.open();
        elsewhere.get();

        assertThat(twice.stream().map(Background::get)).allMatch(a -> a instanceof WriteAnswer.Written);
        assertThat(world.store.asked(Verb.WRITE)).hasSize(2);
    }

    @Test
    void reads_of_one_record_share_one_row() {
        lanes.claim(wish("k", "x"), PATIENCE);
        var gate = new Gate();
        world.store.next(Verb.FIND, ScriptedStore.held(gate));
        var lone = Background.run(() -> lanes.find(identity("z"), PATIENCE));
        gate.awaitArrival();
        var readers = IntStream.range(0, 50)
                .mapToObj(i -> Background.run(() -> lanes.find(identity("k"), PATIENCE))
                        .parked())
                .toList();
        gate.open();
        lone.get();

        assertThat(readers.stream().map(Background::get)).allMatch(Optional::isPresent);
        assertThat(world.store.asked(Verb.FIND).get(1)).hasSize(1);
    }

    @Test
    void claims_writes_renewals_and_reads_do_not_wait_behind_each_other() {
        var claim = ((ClaimAnswer.Acquired) lanes.claim(wish("k", "x"), PATIENCE)).record();
        var gate = new Gate();
        world.store.next(Verb.CLAIM, ScriptedStore.held(gate));
        var stuck = claiming(wish("other", "x"));
        gate.awaitArrival();

        assertThat(lanes.renew(new Write.Renew(claim.claim(), LEASE), PATIENCE))
                .isInstanceOf(WriteAnswer.Written.class);
        assertThat(lanes.find(identity("k"), PATIENCE)).isPresent();
        assertThat(lanes.write(new Write.Release(claim.claim()), PATIENCE)).isInstanceOf(WriteAnswer.Written.class);

        gate.open();
        stuck.get();
    }

    @Test
    void a_row_whose_lookup_another_identity_has_fails_alone() {
        var taken = wish("k", "x");
        lanes.claim(taken, PATIENCE);
        var gate = new Gate();
        world.store.next(Verb.CLAIM, ScriptedStore.held(gate));
        var lone = claiming(wish("lone", "x"));
        gate.awaitArrival();
        var colliding = new ClaimRequest(
                identity("another"),
                taken.lookup(),
                taken.fingerprint(),
                UUID.randomUUID(),
                LEASE,
                TakeOver.RESUME,
                Retention.FOREVER,
                Optional.empty(),
                Optional.empty());
        var guilty = claiming(colliding);
        var innocent = IntStream.range(0, 9)
                .mapToObj(i -> claiming(wish("i" + i, "x")))
                .toList();
        gate.open();
        lone.get();

        assertThat(guilty.failure()).hasMessageContaining("Another identity");
        assertThat(innocent.stream().map(Background::get)).allMatch(a -> a instanceof ClaimAnswer.Acquired);
    }
}
