package dev.refrain.trials.upgrades;

import static dev.refrain.trials.upgrades.ShopHistory.call;
import static dev.refrain.trials.upgrades.ShopHistory.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.refrain.LeasedOperation;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import dev.refrain.api.TraceId;
import dev.refrain.store.SweepResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Work that older versions left unfinished goes on by its own rule, under its old keys. */
@ParameterizedClass
@MethodSource("dumps")
class OldUnfinishedWorkTest extends OldDataTestBase {

    @Test
    void workLeftUnderResumeRunsOnceUnderItsOldKey() throws Exception {
        open(TEN_MINUTES);
        for (String key : List.of("resume-over", "released", "swept")) {
            runsOnceAsBefore(shop.charging(), key);
        }
        runsOnceAsBefore(shop.transferring(TEN_MINUTES), "let-run-again");
    }

    private void runsOnceAsBefore(LeasedOperation<String> operation, String key) {
        var runs = new ArrayList<String>();
        for (int i = 0; i < 2; i++) {
            assertThat(operation.<RuntimeException>run(call(key), claim -> {
                        assertThat(claim.recordId()).hasToString(fact(key + ".id"));
                        assertThat(claim.isResumed()).isTrue();
                        runs.add(claim.derivedKey("charge"));
                        return "charged";
                    }))
                    .isEqualTo("charged");
        }
        assertThat(runs).containsExactly(fact(key + ".key.charge"));
    }

    /** Versions before 0.1.0 recorded none of it. */
    @Test
    void recordThatNeedsADecisionExplainsItselfAsItDidThen() throws Exception {
        assumeTrue(!dump.version().equals("0.1.0-pre"), "versions before 0.1.0 recorded no caller, trace or request");
        open(TEN_MINUTES);
        var item = waiting("hold-swept");
        var explained = shop.store.explain(item.identity()).orElseThrow();
        assertThat(explained.operation()).contains(fact("hold-swept.operation"));
        assertThat(explained.caller()).contains(fact("hold-swept.caller"));
        assertThat(explained.traceId()).map(TraceId::toString).contains(fact("hold-swept.trace"));
        assertThat(explained.calls())
                .singleElement()
                .satisfies(call -> assertThat(call.derivedKey()).isEqualTo(fact("hold-swept.key.charge")));
        assertThat(shop.refrain.admin().findKeptRequest(item.identity()))
                .contains(Payload.of(utf8(fact("hold-swept.kept-request"))));

        shop.refrain.admin().release(item.claim(), "ann", "it was not");
        assertThat(shop.refrain.admin().findKeptRequest(item.identity())).isEmpty();
    }

    @Test
    void workLeftUnderHoldIsNotRunUntilSomebodyDecides() throws Exception {
        open(TEN_MINUTES);
        var transferring = shop.transferring(TEN_MINUTES);
        for (String key : List.of("hold-over", "hold-retried", "hold-swept")) {
            undecided(transferring.runForResult(call(key), OldDataTestBase::never));
        }
        var operators = shop.refrain.admin();
        assertThat(operators.resolve(
                        waiting("hold-retried").claim(), Outcome.Answer.of(200, utf8("\"paid\"")), "ann", "it was"))
                .isTrue();
        assertThat(transferring.<RuntimeException>run(call("hold-retried"), OldDataTestBase::never))
                .isEqualTo("paid");
        assertThat(operators.release(waiting("hold-swept").claim(), "ann", "it was not"))
                .isTrue();
        runsOnceAsBefore(transferring, "hold-swept");
        undecided(transferring.runForResult(call("hold-over"), OldDataTestBase::never));
        assertThat(operators.listAuditTrail(2)).allMatch(entry -> entry.who().equals("ann"));
    }

    @Test
    void leaseThatLivesIsNotTakenOver() throws Exception {
        open(TEN_MINUTES);
        requireLeasesAlive();
        requireEverythingAsItWas();
    }

    private void requireLeasesAlive() {
        assertThat(shop.charging().runForResult(call("live-lease"), OldDataTestBase::never))
                .isInstanceOf(OperationResult.InProgress.class);
        assertThat(shop.transferring(TEN_MINUTES).runForResult(call("hold-live"), OldDataTestBase::never))
                .isInstanceOf(OperationResult.InProgress.class);
        assertThat(shop.record("charging", "live-lease").fence()).isEqualTo(1);
    }

    @Test
    void abandonedClaimIsSweptByItsOwnPolicy() throws Exception {
        open(TEN_MINUTES);
        assertThat(shop.store.sweep(Duration.ofMinutes(1), ALL))
                .usingRecursiveComparison()
                .ignoringFields("escalated")
                .isEqualTo(new SweepResult(4, 1, false));

        assertThat(waiting("hold-over").claim().id()).hasToString(fact("hold-over.id"));
        undecided(shop.transferring(TEN_MINUTES).runForResult(call("hold-over"), OldDataTestBase::never));
        runsOnceAsBefore(shop.charging(), "resume-over");
        requireLeasesAlive();
    }

    @Test
    void onlyWhatIsSettledIsReapedHoweverOldTheRest() throws Exception {
        open(Duration.ofDays(100));
        var expired = List.of(
                "for-a-day",
                "flow-done",
                "at-start",
                "blind-agreed",
                "blind-vanished",
                "blind-differs",
                "blind-twice",
                "job-done",
                "job-failed");
        var left = new TreeMap<>(facts);
        left.keySet().removeIf(name -> !name.startsWith("seen."));
        left.values().removeIf(line -> expired.stream().anyMatch(key -> line.contains("/" + key + " ")));

        assertThat(shop.store.reap(ALL)).isEqualTo(expired.size());

        assertThat(StoreInventory.of(shop.store)).isEqualTo(left);
        runsOnceAsBefore(shop.charging(), "resume-over");
        goesOn(shop.honoured("orders.keys"), "at-charged", List.of(), "orders.keys charged");
    }

    @Test
    void expiredKeyIsANewRequest() throws Exception {
        open(Duration.ofDays(2));

        assertThat(shop.forADay().runForResult(call("for-a-day"), claim -> Outcome.Answer.of(200, utf8("another day"))))
                .isInstanceOf(OperationResult.Ran.class);
        assertThat(replayed(shop.answers().runForResult(call("binary-200"), OldDataTestBase::never)))
                .isEqualTo(FrozenShop.binaryAnswer());
    }
}
