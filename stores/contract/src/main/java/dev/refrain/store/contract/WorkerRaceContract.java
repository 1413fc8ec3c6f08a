package dev.refrain.store.contract;

import static dev.refrain.store.contract.Samples.LEASE;
import static dev.refrain.store.contract.Samples.RETENTION;
import static dev.refrain.store.contract.Samples.batch;
import static dev.refrain.store.contract.Samples.complete;
import static dev.refrain.store.contract.Samples.heldRequest;
import static dev.refrain.store.contract.Samples.payload;
import static dev.refrain.store.contract.Samples.resumableRequest;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.key.RecordId;
import dev.refrain.store.ClaimRef;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.Resolution;
import dev.refrain.store.State;
import dev.refrain.store.Store;
import dev.refrain.store.Swept;
import dev.refrain.store.Write;
import dev.refrain.store.WriteAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Reaper, sweeper and people are safe to work on every instance at once, and beside traffic. */
interface WorkerRaceContract extends Topic {

    int RECORDS = 30;

    private Store second() {
        return client().harness().openSecond();
    }

    /** Elsewhere: the delete of an expired record races a fresh insert and removes it. */
    @Test
    default void aReaperNeverDeletesWhatWasJustClaimedAnew() {
        for (var request : batch(RECORDS, i -> resumableRequest("key-" + i))) {
            client().claimAndComplete(request, "done");
        }
        client().advanceTime(RETENTION);
        var fresh = batch(RECORDS, i -> resumableRequest("key-" + i));
        var reaper = second();
        var claimed = new AtomicBoolean();

        Race.runAll(List.of(
                () -> {
                    boolean last;
                    do {
                        last = claimed.get();
                        Race.retryWhileBusy(() -> reaper.reap(3));
                    } while (!last);
                    return "reaped";
                },
                () -> {
                    fresh.forEach(request -> Race.retryWhileBusy(() -> client().claim(request)));
                    claimed.set(true);
                    return "claimed";
                }));

        assertThat(fresh).allSatisfy(request -> {
            var record = client().expectPresent(request.identity());
            assertThat(record.id()).isEqualTo(new RecordId(request.nonce()));
            assertThat(record.state()).isEqualTo(State.IN_PROGRESS);
        });
    }

    @Test
    default void twoReapersDeleteEachRecordOnce() {
        for (var request : batch(RECORDS, i -> resumableRequest("key-" + i))) {
            client().claimAndComplete(request, "done");
        }
        client().advanceTime(RETENTION);
        var handles = List.of(client().store(), second());

        var reaped = Race.runAll(2, runner -> reapAll(handles.get(runner)));

        assertThat(reaped.getFirst() + reaped.getLast() + reapAll(client().store()))
                .isEqualTo(RECORDS);
        assertThat(client().store().countKeys(Samples.SCOPE, 100)).isZero();
    }

    private static int reapAll(Store store) {
        int sum = 0;
        for (int i = 0; i < RECORDS; i++) {
            sum += Race.retryWhileBusy(() -> store.reap(5));
        }
        return sum;
    }

    @Test
    default void aRenewalThatRacesTheSweeperEitherHoldsOrIsRefused() {
        var requests = batch(RECORDS, i -> resumableRequest("key-" + i));
        var renewals = claimed(requests).stream()
                .map(claim -> new Write.Renew(claim, LEASE))
                .toList();
        client().advanceTime(LEASE);
        var sweeper = second();

        List<Object> both = Race.runAll(List.of(
                () -> Race.retryWhileBusy(() -> sweeper.sweep(Duration.ZERO, RECORDS)),
                () -> renewals.stream()
                        .map(renewal -> Race.retryWhileBusy(() -> client().write(renewal)))
                        .toList()));

        var renewed = (List<?>) both.getLast();
        int swept = 0;
        for (int i = 0; i < RECORDS; i++) {
            boolean held = renewed.get(i) instanceof WriteAnswer.Written;
            assertThat(client().expectPresent(requests.get(i).identity()).state())
                    .isEqualTo(held ? State.IN_PROGRESS : State.RELEASED);
            swept += held ? 0 : 1;
        }
        assertThat(((Swept) both.getFirst()).released()).isEqualTo(swept);
    }

    @Test
    default void twoSweepersSettleEachRecordOnce() {
        claimed(batch(RECORDS, i -> heldRequest("key-" + i)));
        client().advanceTime(LEASE);
        var handles = List.of(client().store(), second());

        var swept =
                Race.runAll(2, runner -> Race.retryWhileBusy(() -> handles.get(runner).sweep(Duration.ZERO, RECORDS)));

        assertThat(swept.getFirst().toAttention() + swept.getLast().toAttention())
                .isLessThanOrEqualTo(RECORDS);
        Race.retryWhileBusy(() -> client().store().sweep(Duration.ZERO, RECORDS), last -> !last.more());
        assertThat(client().attention()).hasSize(RECORDS);
    }

    @Test
    default void ofTwoResolutionsOneHolds() {
        var handles = List.of(client().store(), second());
        var verdicts = List.of(new Resolution.RunAgain(), new Resolution.Done(Optional.of(payload("at the bank"))));
        for (int i = 0; i < 10; i++) {
            var held = client().claimAndEscalate(heldRequest("key-" + i), "the connection broke");

            var both = Race.runAll(
                    2,
                    person -> Race.retryWhileBusy(() -> handles.get(person)
                            .resolve(
                                    new Resolution(held.claim(), verdicts.get(person), "person-" + person, "looked"))));

            assertThat(both).filteredOn(WriteAnswer.Written.class::isInstance).hasSize(1);
            var now = client().expectPresent("key-" + i);
            assertThat(now.fence()).isEqualTo(2);
            assertThat(now.state())
                    .isEqualTo(both.getFirst() instanceof WriteAnswer.Written ? State.RELEASED : State.COMPLETED);
        }
        assertThat(client().store().listAuditTrail(100)).hasSize(10);
    }

    @Test
    default void aResolutionThatRacesALateCompletionLeavesOneOutcome() {
        var person = second();
        for (int i = 0; i < 10; i++) {
            var held = client().claimAndEscalate(heldRequest("key-" + i), "the connection broke");
            var resolution = new Resolution(
                    held.claim(), new Resolution.Done(Optional.of(payload("at the bank"))), "ann", "looked");

            List<WriteAnswer> both = Race.runAll(List.of(
                    () -> Race.retryWhileBusy(() -> client().write(complete(held.claim(), "it went through"))),
                    () -> Race.retryWhileBusy(() -> person.resolve(resolution))));

            assertThat(both).filteredOn(WriteAnswer.Written.class::isInstance).hasSize(1);
            boolean late = both.getFirst() instanceof WriteAnswer.Written;
            assertThat(client().expectPresent("key-" + i).outcome()).contains(payload(late ? "it went through" : "at the bank"));
            assertThat(client().expectPresent("key-" + i).fence()).isEqualTo(late ? 1 : 2);
        }
    }

    private List<ClaimRef> claimed(List<ClaimRequest> requests) {
        return client().store().claim(requests).stream()
                .map(answer -> Probe.expectAcquired(answer).claim())
                .toList();
    }
}
