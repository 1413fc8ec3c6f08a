package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.LEASE;
import static dev.refrain.store.contract.StoreTestData.RETENTION;
import static dev.refrain.store.contract.StoreTestData.batch;
import static dev.refrain.store.contract.StoreTestData.complete;
import static dev.refrain.store.contract.StoreTestData.heldRequest;
import static dev.refrain.store.contract.StoreTestData.payload;
import static dev.refrain.store.contract.StoreTestData.resumableRequest;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.RecordId;
import dev.refrain.store.AuditTrailReader;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Resolution;
import dev.refrain.store.Store;
import dev.refrain.store.SweepResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Tests that reapers, sweepers and operators can work on every instance at once, and beside traffic. */
interface WorkerRaceContractTests extends StoreContractPart {

    int RECORDS = 30;

    private Store second() {
        return client().harness().openSecond();
    }

    /** Elsewhere: deleting an expired record races with a fresh insert and removes it. */
    @Test
    default void reaperNeverDeletesWhatWasJustClaimedAnew() {
        for (var request : batch(RECORDS, i -> resumableRequest("key-" + i))) {
            client().claimAndComplete(request, "done");
        }
        client().advanceTime(RETENTION);
        var fresh = batch(RECORDS, i -> resumableRequest("key-" + i));
        var reaper = second();
        var claimed = new AtomicBoolean();

        ConcurrentCalls.runAll(List.of(
                () -> {
                    boolean last;
                    do {
                        last = claimed.get();
                        ConcurrentCalls.retryWhileBusy(() -> reaper.reap(3));
                    } while (!last);
                    return "reaped";
                },
                () -> {
                    fresh.forEach(request -> ConcurrentCalls.retryWhileBusy(
                            () -> client().claim(request), ClaimResponse.Acquired.class::isInstance));
                    claimed.set(true);
                    return "claimed";
                }));

        assertThat(fresh).allSatisfy(request -> {
            var record = client().expectPresent(request.identity());
            assertThat(record.id()).isEqualTo(new RecordId(request.nonce()));
            assertThat(record.state()).isEqualTo(RecordState.IN_PROGRESS);
        });
    }

    @Test
    default void twoReapersDeleteEachRecordOnce() {
        for (var request : batch(RECORDS, i -> resumableRequest("key-" + i))) {
            client().claimAndComplete(request, "done");
        }
        client().advanceTime(RETENTION);
        var handles = List.of(client().store(), second());

        var reaped = ConcurrentCalls.runAll(2, runner -> reapAll(handles.get(runner)));

        client().expectReaped(RECORDS, reaped.getFirst() + reaped.getLast() + reapAll(client().store()));
        client().expectCounted(0, RECORDS);
    }

    private static int reapAll(Store store) {
        int sum = 0;
        for (int i = 0; i < RECORDS; i++) {
            sum += ConcurrentCalls.retryWhileBusy(() -> store.reap(5));
        }
        return sum;
    }

    @Test
    default void renewalThatRacesTheSweeperEitherHoldsOrIsRefused() {
        var requests = batch(RECORDS, i -> resumableRequest("key-" + i));
        var renewals = claimed(requests).stream()
                .map(claim -> new RecordWrite.Renew(claim, LEASE))
                .toList();
        var sweeper = second();
        client().advanceTime(LEASE);

        List<Object> both = ConcurrentCalls.runAll(List.of(
                () -> ConcurrentCalls.retryWhileBusy(() -> sweeper.sweep(Duration.ZERO, RECORDS)),
                () -> renewals.stream()
                        .map(renewal -> ConcurrentCalls.retryWhileBusy(() -> client().write(renewal)))
                        .toList()));

        var renewed = (List<?>) both.getLast();
        int swept = 0;
        for (int i = 0; i < RECORDS; i++) {
            boolean held = renewed.get(i) instanceof RecordWriteResponse.Written;
            assertThat(client().expectPresent(requests.get(i).identity()).state())
                    .isEqualTo(held ? RecordState.IN_PROGRESS : RecordState.RELEASED);
            swept += held ? 0 : 1;
        }
        assertThat(((SweepResult) both.getFirst()).released()).isEqualTo(swept);
    }

    @Test
    default void twoSweepersSettleEachRecordOnce() {
        claimed(batch(RECORDS, i -> heldRequest("key-" + i)));
        var handles = List.of(client().store(), second());
        client().advanceTime(LEASE);

        var swept = ConcurrentCalls.runAll(
                2,
                runner ->
                        ConcurrentCalls.retryWhileBusy(() -> handles.get(runner).sweep(Duration.ZERO, RECORDS)));

        assertThat(swept.getFirst().toAttention() + swept.getLast().toAttention())
                .isLessThanOrEqualTo(RECORDS);
        ConcurrentCalls.retryWhileBusy(() -> client().store().sweep(Duration.ZERO, RECORDS), last -> !last.more());
        assertThat(client().attention()).hasSize(RECORDS);
    }

    @Test
    default void oneOfTwoResolutionsHolds() {
        var handles = List.of(client().store(), second());
        var verdicts = List.of(new Resolution.RunAgain(), new Resolution.Done(payload("at the bank")));
        for (int i = 0; i < 10; i++) {
            var held = client().claimAndEscalate(heldRequest("key-" + i), "the connection broke");

            var both = ConcurrentCalls.runAll(
                    2,
                    person -> ConcurrentCalls.retryWhileBusy(() -> handles.get(person)
                            .resolve(
                                    new Resolution(held.claim(), verdicts.get(person), "person-" + person, "looked"))));

            assertThat(both)
                    .filteredOn(RecordWriteResponse.Written.class::isInstance)
                    .hasSize(1);
            var now = client().expectPresent("key-" + i);
            assertThat(now.fence()).isEqualTo(2);
            assertThat(now.state())
                    .isEqualTo(
                            both.getFirst() instanceof RecordWriteResponse.Written
                                    ? RecordState.RELEASED
                                    : RecordState.COMPLETED);
        }
        client().whereAble(
                        AuditTrailReader.class,
                        trail -> assertThat(trail.listAuditTrail(100)).hasSize(10));
    }

    @Test
    default void resolutionThatRacesALateCompletionLeavesOneOutcome() {
        var person = second();
        for (int i = 0; i < 10; i++) {
            var held = client().claimAndEscalate(heldRequest("key-" + i), "the connection broke");
            var resolution = new Resolution(held.claim(), new Resolution.Done(payload("at the bank")), "ann", "looked");

            List<RecordWriteResponse> both = ConcurrentCalls.runAll(List.of(
                    () -> ConcurrentCalls.retryWhileBusy(
                            () -> client().write(complete(held.claim(), "it went through"))),
                    () -> ConcurrentCalls.retryWhileBusy(() -> person.resolve(resolution))));

            assertThat(both)
                    .filteredOn(RecordWriteResponse.Written.class::isInstance)
                    .hasSize(1);
            boolean late = both.getFirst() instanceof RecordWriteResponse.Written;
            assertThat(client().expectPresent("key-" + i).outcome())
                    .contains(payload(late ? "it went through" : "at the bank"));
            assertThat(client().expectPresent("key-" + i).fence()).isEqualTo(late ? 1 : 2);
        }
    }

    private List<ClaimRef> claimed(List<ClaimRequest> requests) {
        return client().claimAll(requests).stream()
                .map(answer -> StoreTestClient.expectAcquired(answer).claim())
                .toList();
    }
}
