package dev.refrain.store.contract;

import static dev.refrain.store.contract.Samples.LEASE;
import static dev.refrain.store.contract.Samples.RETENTION;
import static dev.refrain.store.contract.Samples.batch;
import static dev.refrain.store.contract.Samples.complete;
import static dev.refrain.store.contract.Samples.holding;
import static dev.refrain.store.contract.Samples.payload;
import static dev.refrain.store.contract.Samples.resuming;
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
        return probe().harness().second();
    }

    /** Elsewhere: the delete of an expired record races a fresh insert and removes it. */
    @Test
    default void aReaperNeverDeletesWhatWasJustClaimedAnew() {
        for (var request : batch(RECORDS, i -> resuming("key-" + i))) {
            probe().completed(request, "done");
        }
        probe().letPass(RETENTION);
        var fresh = batch(RECORDS, i -> resuming("key-" + i));
        var reaper = second();
        var claimed = new AtomicBoolean();

        Race.of(List.of(
                () -> {
                    boolean last;
                    do {
                        last = claimed.get();
                        Race.patiently(() -> reaper.reap(3));
                    } while (!last);
                    return "reaped";
                },
                () -> {
                    fresh.forEach(request -> Race.patiently(() -> probe().claim(request)));
                    claimed.set(true);
                    return "claimed";
                }));

        assertThat(fresh).allSatisfy(request -> {
            var record = probe().seen(request.identity());
            assertThat(record.id()).isEqualTo(new RecordId(request.nonce()));
            assertThat(record.state()).isEqualTo(State.IN_PROGRESS);
        });
    }

    @Test
    default void twoReapersDeleteEachRecordOnce() {
        for (var request : batch(RECORDS, i -> resuming("key-" + i))) {
            probe().completed(request, "done");
        }
        probe().letPass(RETENTION);
        var handles = List.of(probe().store(), second());

        var reaped = Race.of(2, runner -> reapAll(handles.get(runner)));

        assertThat(reaped.getFirst() + reaped.getLast() + reapAll(probe().store()))
                .isEqualTo(RECORDS);
        assertThat(probe().store().count(Samples.SCOPE, 100)).isZero();
    }

    private static int reapAll(Store store) {
        int sum = 0;
        for (int i = 0; i < RECORDS; i++) {
            sum += Race.patiently(() -> store.reap(5));
        }
        return sum;
    }

    @Test
    default void aRenewalThatRacesTheSweeperEitherHoldsOrIsRefused() {
        var requests = batch(RECORDS, i -> resuming("key-" + i));
        var renewals = claimed(requests).stream()
                .map(claim -> new Write.Renew(claim, LEASE))
                .toList();
        probe().letPass(LEASE);
        var sweeper = second();

        List<Object> both = Race.of(List.of(
                () -> Race.patiently(() -> sweeper.sweep(Duration.ZERO, RECORDS)),
                () -> renewals.stream()
                        .map(renewal -> Race.patiently(() -> probe().write(renewal)))
                        .toList()));

        var renewed = (List<?>) both.getLast();
        int swept = 0;
        for (int i = 0; i < RECORDS; i++) {
            boolean held = renewed.get(i) instanceof WriteAnswer.Written;
            assertThat(probe().seen(requests.get(i).identity()).state())
                    .isEqualTo(held ? State.IN_PROGRESS : State.RELEASED);
            swept += held ? 0 : 1;
        }
        assertThat(((Swept) both.getFirst()).released()).isEqualTo(swept);
    }

    @Test
    default void twoSweepersSettleEachRecordOnce() {
        claimed(batch(RECORDS, i -> holding("key-" + i)));
        probe().letPass(LEASE);
        var handles = List.of(probe().store(), second());

        var swept =
                Race.of(2, runner -> Race.patiently(() -> handles.get(runner).sweep(Duration.ZERO, RECORDS)));

        assertThat(swept.getFirst().toAttention() + swept.getLast().toAttention())
                .isLessThanOrEqualTo(RECORDS);
        Race.patiently(() -> probe().store().sweep(Duration.ZERO, RECORDS), last -> !last.more());
        assertThat(probe().attention()).hasSize(RECORDS);
    }

    @Test
    default void ofTwoResolutionsOneHolds() {
        var handles = List.of(probe().store(), second());
        var verdicts = List.of(new Resolution.RunAgain(), new Resolution.Done(Optional.of(payload("at the bank"))));
        for (int i = 0; i < 10; i++) {
            var held = probe().escalated(holding("key-" + i), "the connection broke");

            var both = Race.of(
                    2,
                    person -> Race.patiently(() -> handles.get(person)
                            .resolve(
                                    new Resolution(held.claim(), verdicts.get(person), "person-" + person, "looked"))));

            assertThat(both).filteredOn(WriteAnswer.Written.class::isInstance).hasSize(1);
            var now = probe().seen("key-" + i);
            assertThat(now.fence()).isEqualTo(2);
            assertThat(now.state())
                    .isEqualTo(both.getFirst() instanceof WriteAnswer.Written ? State.RELEASED : State.COMPLETED);
        }
        assertThat(probe().store().audit(100)).hasSize(10);
    }

    @Test
    default void aResolutionThatRacesALateCompletionLeavesOneOutcome() {
        var person = second();
        for (int i = 0; i < 10; i++) {
            var held = probe().escalated(holding("key-" + i), "the connection broke");
            var resolution = new Resolution(
                    held.claim(), new Resolution.Done(Optional.of(payload("at the bank"))), "ann", "looked");

            List<WriteAnswer> both = Race.of(List.of(
                    () -> Race.patiently(() -> probe().write(complete(held.claim(), "it went through"))),
                    () -> Race.patiently(() -> person.resolve(resolution))));

            assertThat(both).filteredOn(WriteAnswer.Written.class::isInstance).hasSize(1);
            boolean late = both.getFirst() instanceof WriteAnswer.Written;
            assertThat(probe().seen("key-" + i).outcome()).contains(payload(late ? "it went through" : "at the bank"));
            assertThat(probe().seen("key-" + i).fence()).isEqualTo(late ? 1 : 2);
        }
    }

    private List<ClaimRef> claimed(List<ClaimRequest> requests) {
        return probe().store().claim(requests).stream()
                .map(answer -> Probe.acquired(answer).claim())
                .toList();
    }
}
