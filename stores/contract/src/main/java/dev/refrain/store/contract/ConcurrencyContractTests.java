package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.LEASE;
import static dev.refrain.store.contract.StoreTestData.batch;
import static dev.refrain.store.contract.StoreTestData.complete;
import static dev.refrain.store.contract.StoreTestData.heldRequest;
import static dev.refrain.store.contract.StoreTestData.payload;
import static dev.refrain.store.contract.StoreTestData.resumableRequest;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.RecordId;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Store;
import dev.refrain.store.StoredRecord;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Tests of concurrent claims through two handles: exactly one caller runs. */
interface ConcurrencyContractTests extends StoreContractPart {

    int RUNNERS = 12;
    int KEYS = 8;

    /** Returns the handles of the runners; every other one belongs to another process. */
    private List<Store> handles() {
        return List.of(client().store(), client().harness().openSecond());
    }

    /** Claims, and retries while the store reports that the record is being written, as callers do. */
    private static ClaimResponse claim(Store store, ClaimRequest request) {
        return ConcurrentCalls.retryWhileBusy(
                () -> store.claim(List.of(request)).getFirst(),
                answer -> !(answer instanceof ClaimResponse.LockedByTransaction));
    }

    private static RecordWriteResponse write(Store store, RecordWrite write) {
        return ConcurrentCalls.retryWhileBusy(() -> store.write(List.of(write))).getFirst();
    }

    private static List<ClaimResponse> allClaim(List<Store> handles, String key) {
        return ConcurrentCalls.runAll(RUNNERS, runner -> claim(handles.get(runner % 2), resumableRequest(key)));
    }

    private static List<StoredRecord> acquiredAmong(List<ClaimResponse> answers) {
        return answers.stream()
                .filter(ClaimResponse.Acquired.class::isInstance)
                .map(StoreTestClient::expectAcquired)
                .toList();
    }

    /** Elsewhere: check, then set, without one atomic step; losing the race to insert still means "acquired". */
    @Test
    default void exactlyOneOfManyClaimsAcquiresAnAbsentRecord() {
        var handles = handles();
        for (int i = 0; i < KEYS; i++) {
            var answers = allClaim(handles, "key-" + i);

            var winner = acquiredAmong(answers);
            assertThat(winner).hasSize(1);
            assertThat(winner.getFirst().fence()).isEqualTo(1);
            assertThat(answers).allSatisfy(answer -> {
                if (answer instanceof ClaimResponse.Found found) {
                    assertThat(found.record().claim())
                            .isEqualTo(winner.getFirst().claim());
                    assertThat(found.record().state()).isEqualTo(RecordState.IN_PROGRESS);
                }
            });
            assertThat(client().expectPresent("key-" + i).claim())
                    .isEqualTo(winner.getFirst().claim());
        }
    }

    @Test
    default void exactlyOneOfManyTakeoversAcquiresAnEndedClaim() {
        var handles = handles();
        client().claimAll(batch(KEYS, i -> resumableRequest("key-" + i)));
        client().advanceTime(LEASE);
        for (int i = 0; i < KEYS; i++) {
            assertThat(acquiredAmong(allClaim(handles, "key-" + i)))
                    .singleElement()
                    .satisfies(record -> assertThat(record.fence()).isEqualTo(2));
        }
    }

    @Test
    default void exactlyOneOfManyClaimsAcquiresAReleasedRecord() {
        var handles = handles();
        for (int i = 0; i < KEYS; i++) {
            client().claimAndRelease(resumableRequest("key-" + i));
            assertThat(acquiredAmong(allClaim(handles, "key-" + i)))
                    .singleElement()
                    .satisfies(record -> assertThat(record.fence()).isEqualTo(2));
        }
    }

    @Test
    default void exactlyOneOfManyClaimsAcquiresAnExpiredRecordAnew() {
        var handles = handles();
        for (int i = 0; i < KEYS; i++) {
            client().claimAndComplete(resumableRequest("key-" + i), "done");
        }
        client().advanceTime(StoreTestData.RETENTION);
        for (int i = 0; i < KEYS; i++) {
            assertThat(acquiredAmong(allClaim(handles, "key-" + i)))
                    .singleElement()
                    .satisfies(record -> {
                        assertThat(record.fence()).isEqualTo(1);
                        assertThat(record.id()).isEqualTo(new RecordId(record.owner()));
                    });
        }
    }

    @Test
    default void noneOfManyClaimsAcquiresAHeldRecord() {
        var handles = handles();
        client().claimAll(batch(KEYS, i -> heldRequest("key-" + i)));
        client().advanceTime(LEASE);
        for (int i = 0; i < KEYS; i++) {
            assertThat(allClaim(handles, "key-" + i))
                    .allSatisfy(answer -> assertThat(
                                    StoreTestClient.expectFound(answer).state())
                            .isEqualTo(RecordState.ATTENTION));
        }
        assertThat(client().attention())
                .hasSize(KEYS)
                .allSatisfy(item -> assertThat(item.claim().fence()).isEqualTo(1));
    }

    @Test
    default void eachKeyOfOverlappingBatchesIsAcquiredOnce() {
        int keys = 40;
        var handles = handles();

        var answers = ConcurrentCalls.runAll(RUNNERS, runner -> {
            var requests = batch(keys, i -> resumableRequest("key-" + i));
            var caller = new StoreTestClient(client().harness(), handles.get(runner % 2));
            return ConcurrentCalls.retryWhileBusy(() -> caller.claimAll(requests));
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

        ConcurrentCalls.runAll(RUNNERS, runner -> {
            var store = handles.get(runner % 2);
            for (int i = 0; i < 20; i++) {
                if (claim(store, resumableRequest("key-1")) instanceof ClaimResponse.Acquired acquired) {
                    assertThat(fences.add(acquired.record().fence())).isTrue();
                    assertThat(write(
                                    store,
                                    new RecordWrite.Release(acquired.record().claim())))
                            .isEqualTo(new RecordWriteResponse.Written());
                }
            }
            return runner;
        });

        long last = client().expectPresent("key-1").fence();
        assertThat(fences)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.rangeClosed(1, last).boxed().toList());
    }

    /** Elsewhere: a stalled first runner completes the second runner's claim. */
    @Test
    default void completionThatRacesATakeoverEitherHoldsOrIsRefused() {
        var handles = handles();
        var claims = client().claimAll(batch(30, i -> resumableRequest("key-" + i))).stream()
                .map(StoreTestClient::expectAcquired)
                .toList();
        client().advanceTime(LEASE);
        for (int i = 0; i < 30; i++) {
            var requests = batch(30, k -> resumableRequest("key-" + k));
            var record = claims.get(i);
            var request = requests.get(i);

            List<Object> both = ConcurrentCalls.runAll(List.of(
                    () -> write(handles.getFirst(), complete(record.claim(), "by the first")),
                    () -> claim(handles.getLast(), request)));

            var now = client().expectPresent(request.identity());
            if (both.getFirst() instanceof RecordWriteResponse.Written) {
                assertThat(StoreTestClient.expectFound((ClaimResponse) both.getLast())
                                .outcome())
                        .contains(payload("by the first"));
                assertThat(now.outcome()).contains(payload("by the first"));
            } else {
                assertThat(StoreTestClient.expectAcquired((ClaimResponse) both.getLast())
                                .fence())
                        .isEqualTo(2);
                assertThat(now.state()).isEqualTo(RecordState.IN_PROGRESS);
                assertThat(now.outcome()).isEmpty();
            }
        }
    }

    @Test
    default void oneNonceSentTwiceAtOnceIsOneClaim() {
        var handles = handles();
        for (int i = 0; i < KEYS; i++) {
            var request = resumableRequest("key-" + i);

            var both = ConcurrentCalls.runAll(2, runner -> claim(handles.get(runner), request));

            assertThat(both)
                    .allSatisfy(answer -> assertThat(
                                    StoreTestClient.expectAcquired(answer).claim())
                            .isEqualTo(
                                    client().expectPresent(request.identity()).claim()));
            assertThat(client().expectPresent(request.identity()).fence()).isEqualTo(1);
        }
    }
}
