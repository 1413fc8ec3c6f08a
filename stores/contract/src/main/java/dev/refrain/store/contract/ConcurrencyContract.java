package dev.refrain.store.contract;

import static dev.refrain.store.contract.Samples.LEASE;
import static dev.refrain.store.contract.Samples.batch;
import static dev.refrain.store.contract.Samples.complete;
import static dev.refrain.store.contract.Samples.holding;
import static dev.refrain.store.contract.Samples.payload;
import static dev.refrain.store.contract.Samples.resuming;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.key.RecordId;
import dev.refrain.store.ClaimAnswer;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.State;
import dev.refrain.store.Store;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.Write;
import dev.refrain.store.WriteAnswer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Many ask at the same moment, through two handles: exactly one runs. */
interface ConcurrencyContract extends Topic {

    int RUNNERS = 12;
    int KEYS = 8;

    /** Every other runner comes from another process. */
    private List<Store> handles() {
        return List.of(probe().store(), probe().harness().second());
    }

    /** A store may say that someone is just writing the record: then it is asked again, as callers do. */
    private static ClaimAnswer claim(Store store, ClaimRequest request) {
        return Race.patiently(
                () -> store.claim(List.of(request)).getFirst(), answer -> !(answer instanceof ClaimAnswer.Unseen));
    }

    private static WriteAnswer write(Store store, Write write) {
        return Race.patiently(() -> store.write(List.of(write))).getFirst();
    }

    private List<ClaimAnswer> allClaim(String key) {
        var handles = handles();
        return Race.of(RUNNERS, runner -> claim(handles.get(runner % 2), resuming(key)));
    }

    private static List<StoredRecord> acquiredAmong(List<ClaimAnswer> answers) {
        return answers.stream()
                .filter(ClaimAnswer.Acquired.class::isInstance)
                .map(Probe::acquired)
                .toList();
    }

    /** Elsewhere: check, then set, without one atomic step; losing the race to insert still means "acquired". */
    @Test
    default void ofAllWhoClaimAnAbsentRecordExactlyOneAcquiresIt() {
        for (int i = 0; i < KEYS; i++) {
            var answers = allClaim("key-" + i);

            var winner = acquiredAmong(answers);
            assertThat(winner).hasSize(1);
            assertThat(winner.getFirst().fence()).isEqualTo(1);
            assertThat(answers).allSatisfy(answer -> {
                if (answer instanceof ClaimAnswer.Found found) {
                    assertThat(found.record().claim())
                            .isEqualTo(winner.getFirst().claim());
                    assertThat(found.record().state()).isEqualTo(State.IN_PROGRESS);
                }
            });
            assertThat(probe().seen("key-" + i).claim())
                    .isEqualTo(winner.getFirst().claim());
        }
    }

    @Test
    default void ofAllWhoTakeOverAnEndedClaimExactlyOneAcquiresIt() {
        probe().store().claim(batch(KEYS, i -> resuming("key-" + i)));
        probe().letPass(LEASE);
        for (int i = 0; i < KEYS; i++) {
            assertThat(acquiredAmong(allClaim("key-" + i)))
                    .singleElement()
                    .satisfies(record -> assertThat(record.fence()).isEqualTo(2));
        }
    }

    @Test
    default void ofAllWhoClaimAReleasedRecordExactlyOneAcquiresIt() {
        for (int i = 0; i < KEYS; i++) {
            probe().released(resuming("key-" + i));
            assertThat(acquiredAmong(allClaim("key-" + i)))
                    .singleElement()
                    .satisfies(record -> assertThat(record.fence()).isEqualTo(2));
        }
    }

    @Test
    default void ofAllWhoClaimAnExpiredRecordExactlyOneAcquiresItAnew() {
        for (int i = 0; i < KEYS; i++) {
            probe().completed(resuming("key-" + i), "done");
        }
        probe().letPass(Samples.RETENTION);
        for (int i = 0; i < KEYS; i++) {
            assertThat(acquiredAmong(allClaim("key-" + i))).singleElement().satisfies(record -> {
                assertThat(record.fence()).isEqualTo(1);
                assertThat(record.id()).isEqualTo(new RecordId(record.owner()));
            });
        }
    }

    @Test
    default void ofAllWhoClaimWhatMustHoldNobodyAcquiresIt() {
        probe().store().claim(batch(KEYS, i -> holding("key-" + i)));
        probe().letPass(LEASE);
        for (int i = 0; i < KEYS; i++) {
            assertThat(allClaim("key-" + i))
                    .allSatisfy(
                            answer -> assertThat(Probe.found(answer).state()).isEqualTo(State.ATTENTION));
        }
        assertThat(probe().attention())
                .hasSize(KEYS)
                .allSatisfy(item -> assertThat(item.claim().fence()).isEqualTo(1));
    }

    @Test
    default void ofBatchesThatOverlapEachKeyIsAcquiredOnce() {
        int keys = 40;
        var handles = handles();

        var answers = Race.of(RUNNERS, runner -> {
            var requests = batch(keys, i -> resuming("key-" + i));
            return Race.patiently(() -> handles.get(runner % 2).claim(requests));
        });

        for (int i = 0; i < keys; i++) {
            int position = i;
            assertThat(acquiredAmong(
                            answers.stream().map(batch -> batch.get(position)).toList()))
                    .hasSize(1);
        }
    }

    @Test
    default void everyFenceIsGivenToOneClaimOnly() {
        Set<Long> fences = ConcurrentHashMap.newKeySet();
        var handles = handles();

        Race.of(RUNNERS, runner -> {
            var store = handles.get(runner % 2);
            for (int i = 0; i < 20; i++) {
                if (claim(store, resuming("key-1")) instanceof ClaimAnswer.Acquired acquired) {
                    assertThat(fences.add(acquired.record().fence())).isTrue();
                    assertThat(write(store, new Write.Release(acquired.record().claim())))
                            .isEqualTo(new WriteAnswer.Written());
                }
            }
            return runner;
        });

        long last = probe().seen("key-1").fence();
        assertThat(fences)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.rangeClosed(1, last).boxed().toList());
    }

    /** Elsewhere: a stalled first runner completes the second runner's claim. */
    @Test
    default void aCompletionThatRacesATakeoverEitherHoldsOrIsRefused() {
        var handles = handles();
        var claims = probe().store().claim(batch(30, i -> resuming("key-" + i))).stream()
                .map(Probe::acquired)
                .toList();
        probe().letPass(LEASE);
        for (int i = 0; i < 30; i++) {
            var requests = batch(30, k -> resuming("key-" + k));
            var record = claims.get(i);
            var request = requests.get(i);

            List<Object> both = Race.of(List.of(
                    () -> write(handles.getFirst(), complete(record.claim(), "by the first")),
                    () -> claim(handles.getLast(), request)));

            var now = probe().seen(request.identity());
            if (both.getFirst() instanceof WriteAnswer.Written) {
                assertThat(Probe.found((ClaimAnswer) both.getLast()).outcome()).contains(payload("by the first"));
                assertThat(now.outcome()).contains(payload("by the first"));
            } else {
                assertThat(Probe.acquired((ClaimAnswer) both.getLast()).fence()).isEqualTo(2);
                assertThat(now.state()).isEqualTo(State.IN_PROGRESS);
                assertThat(now.outcome()).isEmpty();
            }
        }
    }

    @Test
    default void oneNonceSentTwiceAtOnceIsOneClaim() {
        var handles = handles();
        for (int i = 0; i < KEYS; i++) {
            var request = resuming("key-" + i);

            var both = Race.of(2, runner -> claim(handles.get(runner), request));

            assertThat(both)
                    .allSatisfy(answer -> assertThat(Probe.acquired(answer).claim())
                            .isEqualTo(probe().seen(request.identity()).claim()));
            assertThat(probe().seen(request.identity()).fence()).isEqualTo(1);
        }
    }
}
