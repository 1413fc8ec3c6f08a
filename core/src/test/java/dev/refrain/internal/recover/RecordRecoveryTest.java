package dev.refrain.internal.recover;

import static dev.refrain.testing.AwaitCondition.advancing;
import static dev.refrain.testing.AwaitCondition.until;
import static dev.refrain.testing.SharedStoreFixture.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.LeasedOperation;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.api.AttentionRequiredException;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome;
import dev.refrain.api.OutcomeNotKeptException;
import dev.refrain.api.ScopedKey;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.testing.BackgroundCall;
import dev.refrain.testing.CapturedLog;
import dev.refrain.testing.ManualEnvironment;
import dev.refrain.testing.ScriptedStore;
import dev.refrain.testing.ScriptedStore.StoreMethod;
import dev.refrain.testing.SharedStoreFixture;
import dev.refrain.testing.ThreadGate;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What brings abandoned, expired and doubtful records to an end. */
class RecordRecoveryTest {

    private final SharedStoreFixture world = new SharedStoreFixture();
    private final Refrain refrain = world.process();
    private final AtomicInteger effects = new AtomicInteger();
    private final List<ThreadGate> graves = new ArrayList<>();

    @AfterEach
    void endTheDead() {
        graves.forEach(ThreadGate::open);
    }

    private LeasedOperation<String> pay(LeaseExpiryPolicy takeOver) {
        return refrain.operation("pay", String.class).leased(takeOver);
    }

    private String run(LeaseExpiryPolicy takeOver, String key) {
        return pay(takeOver)
                .run(OperationCall.scope(SCOPE).key(key).request("x"), claim -> "paid " + effects.incrementAndGet());
    }

    /** Its process stops in the middle of the work: its time stands still, and nothing more comes of it. */
    private void crash(LeaseExpiryPolicy takeOver, String key) {
        var grave = new ThreadGate();
        graves.add(grave);
        var doomed = world.process(world.settings().with(new ManualEnvironment()))
                .operation("pay", String.class)
                .leased(takeOver);
        BackgroundCall.run(() -> doomed.run(OperationCall.scope(SCOPE).key(key).request("x"), claim -> {
            grave.pass();
            throw new IllegalStateException("too late");
        }));
        grave.awaitArrival();
    }

    private AttentionItem inAttention(String key) {
        crash(LeaseExpiryPolicy.HOLD, key);
        world.advance(Duration.ofSeconds(31));
        assertThatThrownBy(() -> run(LeaseExpiryPolicy.HOLD, key)).isInstanceOf(AttentionRequiredException.class);
        return refrain.admin().listAttention(100).stream()
                .filter(item -> item.identity().key().equals(key))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @EnumSource(LeaseExpiryPolicy.class)
    void sweeperSettlesWhatACrashLeftAndNobodyRetriesAfterLeaseAndGrace(LeaseExpiryPolicy takeOver) {
        crash(takeOver, "key-1");

        advancing(world, Duration.ofSeconds(5), () -> world.state("pay", "key-1") != RecordState.IN_PROGRESS);

        assertThat(world.state("pay", "key-1"))
                .isEqualTo(takeOver == LeaseExpiryPolicy.RESUME ? RecordState.RELEASED : RecordState.ATTENTION);
        assertThat(Duration.ofNanos(world.environment.nanoTime()))
                .as("lease and grace, and a round of the sweeper")
                .isBetween(Duration.ofSeconds(90), Duration.ofSeconds(120));
        assertThat(world.events.await(RefrainEvent.Swept.class))
                .isEqualTo(
                        takeOver == LeaseExpiryPolicy.RESUME
                                ? new RefrainEvent.Swept(1, 0)
                                : new RefrainEvent.Swept(0, 1));
    }

    @Test
    void recordSweptToAttentionIsLoggedWithWhatToDo() {
        try (var log = new CapturedLog(AttentionLog.class)) {
            crash(LeaseExpiryPolicy.HOLD, "key-of-one-payment");
            advancing(world, Duration.ofSeconds(5), () -> !log.lines().isEmpty());

            assertThat(world.state("pay", "key-of-one-payment")).isEqualTo(RecordState.ATTENTION);
            var record = world.record("pay", "key-of-one-payment").orElseThrow().id();
            assertThat(log.lines().getFirst())
                    .startsWith("Unknown outcome of pay, key key-…, record " + record + ": its lease ended")
                    .contains("Retries are refused", "refrain keys resolve");
        }
    }

    @Test
    void sweeperLeavesAloneWhatRunsAndWhatIsSettled() {
        var gate = new ThreadGate();
        var slow = BackgroundCall.run(() -> pay(LeaseExpiryPolicy.HOLD)
                .run(OperationCall.scope(SCOPE).key("slow").request("x"), claim -> {
                    gate.pass();
                    return "done";
                }));
        gate.awaitArrival();
        run(LeaseExpiryPolicy.HOLD, "done");

        for (int i = 0; i < 60; i++) {
            world.advance(Duration.ofSeconds(5));
            until(() -> !world.record("pay", "slow").orElseThrow().isLeaseExpired());
        }

        assertThat(world.state("pay", "slow")).isEqualTo(RecordState.IN_PROGRESS);
        assertThat(world.events.of(RefrainEvent.Swept.class)).isEmpty();
        gate.open();
        assertThat(slow.get()).isEqualTo("done");
    }

    @Test
    void reaperDeletesWhatExpiredAndNothingThatIsUnfinished() {
        refrain.close(Duration.ZERO);
        var reaping = world.process(world.settings()
                .with(new RefrainSettings.MaintenanceSchedule(
                        Duration.ofDays(999), Duration.ZERO, Duration.ofMinutes(1))));
        var pay = reaping.operation("pay", String.class).leased(LeaseExpiryPolicy.RESUME);
        pay.run(OperationCall.scope(SCOPE).key("done").request("x"), claim -> "done");
        assertThatThrownBy(
                        () -> pay.run(OperationCall.scope(SCOPE).key("released").request("x"), claim -> {
                            throw new IllegalStateException();
                        }))
                .isInstanceOf(IllegalStateException.class);
        crash(LeaseExpiryPolicy.HOLD, "doubtful");
        crash(LeaseExpiryPolicy.RESUME, "unfinished");
        world.memory.write(List.of(new RecordWrite.Escalate(
                world.record("pay", "doubtful").orElseThrow().claim(), "nobody knows")));
        world.clock.advance(Duration.ofDays(365));

        world.environment.advance(Duration.ofMinutes(1));
        world.events.await(RefrainEvent.Reaped.class);

        assertThat(world.events.of(RefrainEvent.Reaped.class))
                .extracting(RefrainEvent.Reaped::count)
                .containsExactly(2);
        assertThat(world.record("pay", "done")).isEmpty();
        assertThat(world.record("pay", "released")).isEmpty();
        assertThat(world.state("pay", "doubtful")).isEqualTo(RecordState.ATTENTION);
        assertThat(world.state("pay", "unfinished")).isEqualTo(RecordState.IN_PROGRESS);
    }

    @Test
    void reaperWorksInSmallStepsUntilNothingIsLeft() {
        IntStream.range(0, 1_200).forEach(i -> run(LeaseExpiryPolicy.RESUME, "key-" + i));
        world.clock.advance(Duration.ofDays(2));

        advancing(
                world,
                Duration.ofSeconds(1),
                () -> world.events.of(RefrainEvent.Reaped.class).stream()
                                .mapToInt(RefrainEvent.Reaped::count)
                                .sum()
                        == 1_200);

        assertThat(world.events.of(RefrainEvent.Reaped.class))
                .extracting(RefrainEvent.Reaped::count)
                .containsExactly(500, 500, 200);
    }

    @Test
    void workersSurviveAStoreThatFails() {
        world.store.next(StoreMethod.SWEEP, ScriptedStore.away(), ScriptedStore.broken());
        world.store.next(StoreMethod.REAP, ScriptedStore.refused());

        advancing(
                world,
                Duration.ofSeconds(15),
                () -> world.store.asked(StoreMethod.SWEEP).size() > 8
                        && world.store.asked(StoreMethod.REAP).size() > 2);

        assertThat(world.events.of(RefrainEvent.StoreFailed.class))
                .extracting(RefrainEvent.StoreFailed::call)
                .containsExactlyInAnyOrder("sweeper", "sweeper", "reaper");
    }

    @Test
    void closedNothingIsSweptOrReapedAnyMore() {
        refrain.close(Duration.ZERO);

        world.advance(Duration.ofHours(1));

        assertThat(world.store.asked(StoreMethod.SWEEP)).isEmpty();
        assertThat(world.store.asked(StoreMethod.REAP)).isEmpty();
    }

    @Test
    void recordsInAttentionAreListedOldestFirstAndByPages() {
        inAttention("first");
        inAttention("second");
        inAttention("third");

        var operators = refrain.admin();
        var page = operators.listAttention(2);
        var rest = operators.listAttention(page.getLast(), 2);

        assertThat(page).extracting(i -> i.identity().key()).containsExactly("first", "second");
        assertThat(rest).extracting(i -> i.identity().key()).containsExactly("third");
        assertThat(page.getFirst().age()).isGreaterThan(rest.getFirst().age());
        assertThat(page.getFirst().reason()).isNotBlank();
    }

    @Test
    void personWhoKnowsTheOutcomeResolvesAndARetryIsGivenIt() {
        var item = inAttention("key-1");
        var outcome = Outcome.Answer.of(200, "\"paid, says the bank\"".getBytes(StandardCharsets.UTF_8));

        assertThat(refrain.admin().resolve(item.claim(), outcome, "alice", "the bank confirmed"))
                .isTrue();

        assertThat(run(LeaseExpiryPolicy.HOLD, "key-1")).isEqualTo("paid, says the bank");
        assertThat(effects).hasValue(0);
        assertThat(world.record("pay", "key-1").orElseThrow().fence()).isEqualTo(2);
        assertThat(refrain.admin().listAttention(10)).isEmpty();
        assertThat(world.events.only(RefrainEvent.Resolved.class))
                .isEqualTo(new RefrainEvent.Resolved(item.claim().id(), "completed"));
        assertThat(refrain.admin().listAuditTrail(10)).singleElement().satisfies(entry -> {
            assertThat(entry.who()).isEqualTo("alice");
            assertThat(entry.why()).isEqualTo("the bank confirmed");
            assertThat(entry.target()).contains(item.claim().id().toString());
            assertThat(entry.at()).isEqualTo(world.clock.instant());
        });
    }

    @Test
    void statusThatEndsNoRequestIsRefusedAndTheRecordStays() {
        var item = inAttention("key-1");
        for (int status : new int[] {102, 199, 600, 999}) {
            assertThatThrownBy(() -> refrain.admin()
                            .resolve(item.claim(), Outcome.Answer.of(status, new byte[0]), "alice", "a slip"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("200 to 599");
        }
        assertThat(refrain.admin().listAttention(10)).hasSize(1);
    }

    @Test
    void personWhoKnowsOnlyThatItHappenedResolvesWithTheStateAlone() {
        var item = inAttention("key-1");

        refrain.admin().resolve(item.claim(), new Outcome.StateOnly(), "alice", "it is on the statement");

        assertThatThrownBy(() -> run(LeaseExpiryPolicy.HOLD, "key-1")).isInstanceOf(OutcomeNotKeptException.class);
    }

    @Test
    void personWhoKnowsThatNothingHappenedReleasesAndARetryRunsUnderTheSameRecord() {
        var item = inAttention("key-1");

        assertThat(refrain.admin().release(item.claim(), "alice", "never reached the bank"))
                .isTrue();

        assertThat(run(LeaseExpiryPolicy.HOLD, "key-1")).isEqualTo("paid 1");
        var record = world.record("pay", "key-1").orElseThrow();
        assertThat(record.id()).isEqualTo(item.claim().id());
        assertThat(record.fence()).isEqualTo(3);
        assertThat(refrain.admin().listAuditTrail(10))
                .extracting(AuditEntry::who)
                .containsExactly("alice");
    }

    @Test
    void recordThatMovedOnSinceItWasLookedAtIsNotTouched() {
        var item = inAttention("key-1");
        refrain.admin().release(item.claim(), "alice", "nothing happened");
        run(LeaseExpiryPolicy.HOLD, "key-1");
        var before = world.record("pay", "key-1");

        assertThat(refrain.admin().release(item.claim(), "bob", "nothing happened"))
                .isFalse();
        assertThat(refrain.admin().resolve(item.claim(), Outcome.Answer.of(500, new byte[0]), "bob", "it failed"))
                .isFalse();

        assertThat(world.record("pay", "key-1")).isEqualTo(before);
        assertThat(world.events.of(RefrainEvent.Resolved.class)).hasSize(1);
        assertThat(refrain.admin().listAuditTrail(10)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  "})
    void nobodyActsWithoutANameAndAReason(String nothing) {
        var item = inAttention("key-1");
        var operators = refrain.admin();

        assertThatThrownBy(() -> operators.release(item.claim(), nothing, "why"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> operators.release(item.claim(), "alice", nothing))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> operators.erase(new ErasureRequest.OfScope(SCOPE), nothing, "why"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(world.state("pay", "key-1")).isEqualTo(RecordState.ATTENTION);
    }

    @Test
    void erasingGoesOnUntilEverythingIsErasedAndSaysWhatIsLeftInUse() {
        IntStream.range(0, 2_100).forEach(i -> run(LeaseExpiryPolicy.RESUME, "key-" + i));
        pay(LeaseExpiryPolicy.RESUME)
                .run(OperationCall.scope("another").key("key-1").request("x"), claim -> "theirs");
        inAttention("doubtful");

        var erased = refrain.admin().erase(new ErasureRequest.OfScope(SCOPE), "dpo", "left us");

        assertThat(erased.erased()).isEqualTo(2_100);
        assertThat(erased.leftInUse()).isEqualTo(1);
        assertThat(erased.hasMore()).isFalse();
        assertThat(world.events.only(RefrainEvent.Erased.class)).isEqualTo(new RefrainEvent.Erased(2_100, 1));
        assertThatThrownBy(() -> run(LeaseExpiryPolicy.RESUME, "key-7")).isInstanceOf(OutcomeNotKeptException.class);
        assertThat(pay(LeaseExpiryPolicy.RESUME)
                        .run(OperationCall.scope("another").key("key-1").request("x"), claim -> "again"))
                .isEqualTo("theirs");
        assertThat(refrain.admin().listAuditTrail(100))
                .allSatisfy(e -> assertThat(e.who()).isEqualTo("dpo"));
    }

    @Test
    void recordCanBeLookedAt() {
        run(LeaseExpiryPolicy.RESUME, "key-1");

        assertThat(refrain.admin().find(new ScopedKey(SCOPE, "pay", "key-1")))
                .get()
                .extracting(r -> r.state())
                .isEqualTo(RecordState.COMPLETED);
        assertThat(refrain.admin().find(new ScopedKey(SCOPE, "pay", "nothing"))).isEmpty();
    }
}
