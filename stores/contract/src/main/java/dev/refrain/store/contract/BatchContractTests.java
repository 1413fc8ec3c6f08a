package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.batch;
import static dev.refrain.store.contract.StoreTestData.complete;
import static dev.refrain.store.contract.StoreTestData.conflictingRequest;
import static dev.refrain.store.contract.StoreTestData.payload;
import static dev.refrain.store.contract.StoreTestData.resumableRequest;
import static dev.refrain.store.contract.StoreTestData.sorted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.Payload;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.StoredRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of batches: one answer per element, in order, each element atomic by itself. */
interface BatchContractTests extends StoreContractPart {

    @Test
    default void emptyBatchIsAnsweredByNothing() {
        assertThat(client().store().claim(List.of())).isEmpty();
        assertThat(client().store().write(List.of())).isEmpty();
        assertThat(client().store().find(List.of())).isEmpty();
    }

    @Test
    default void mixedBatchOfClaimsIsAnsweredInOrderEachForItself() {
        var likes = new HashMap<String, SampleRecord>();
        var unlikes = new HashMap<String, SampleRecord>();
        var wishes = new ArrayList<ClaimRequest>();
        for (var situation : SampleRecord.values()) {
            situation.create(client(), "like-" + situation);
            likes.put("like-" + situation, situation);
            situation.create(client(), "unlike-" + situation);
            unlikes.put("unlike-" + situation, situation);
        }
        likes.keySet().forEach(key -> wishes.add(resumableRequest(key)));
        unlikes.keySet().forEach(key -> wishes.add(conflictingRequest(resumableRequest(key))));
        wishes.add(resumableRequest("absent-1"));
        wishes.add(resumableRequest("absent-2"));
        var asked = sorted(wishes);

        var answers = client().claimAll(asked);

        assertThat(answers).hasSameSizeAs(asked);
        for (int i = 0; i < asked.size(); i++) {
            var request = asked.get(i);
            assertThat(recordOf(answers.get(i)).lookup()).isEqualTo(request.lookup());
            String key = request.identity().key();
            answeredLike(likes.get(key), unlikes.containsKey(key), answers.get(i));
        }
    }

    private static void answeredLike(@Nullable SampleRecord like, boolean unlike, ClaimResponse answer) {
        if (unlike) {
            StoreTestClient.expectFound(answer);
        } else if (like == null) {
            assertThat(StoreTestClient.expectAcquired(answer).fence()).isEqualTo(1);
        } else {
            switch (like) {
                case RELEASED, LEASE_OVER_RESUME ->
                    assertThat(StoreTestClient.expectAcquired(answer).fence()).isEqualTo(2);
                case RUNNING ->
                    assertThat(StoreTestClient.expectFound(answer).state()).isEqualTo(RecordState.IN_PROGRESS);
                case COMPLETED ->
                    assertThat(StoreTestClient.expectFound(answer).outcome()).isPresent();
                case ATTENTION, LEASE_OVER_HOLD ->
                    assertThat(StoreTestClient.expectFound(answer).state()).isEqualTo(RecordState.ATTENTION);
            }
        }
    }

    private static StoredRecord recordOf(ClaimResponse answer) {
        return answer instanceof ClaimResponse.Acquired acquired
                ? acquired.record()
                : StoreTestClient.expectFound(answer);
    }

    @Test
    default void mixedBatchOfWritesIsAnsweredInOrderEachForItself() {
        var requests = batch(30, i -> resumableRequest("key-" + i));
        var claims = client().claimAll(requests);
        var kinds = List.of(SampleWrite.values());
        var writes = new ArrayList<RecordWrite>();
        for (int i = 0; i < claims.size(); i++) {
            var claim = StoreTestClient.expectAcquired(claims.get(i)).claim();
            boolean stale = i % 6 == 5;
            writes.add(kinds.get(i % kinds.size()).of(stale ? new ClaimRef(claim.lookup(), claim.id(), 9) : claim));
        }

        var answers = client().writeAll(writes);

        var now = client().findAll(requests);
        for (int i = 0; i < writes.size(); i++) {
            if (i % 6 == 5) {
                assertThat(StoreTestClient.expectRefused(answers.get(i))
                                .orElseThrow()
                                .lookup())
                        .isEqualTo(requests.get(i).lookup());
                assertThat(now.get(i).orElseThrow().state()).isEqualTo(RecordState.IN_PROGRESS);
            } else {
                assertThat(answers.get(i)).isEqualTo(new RecordWriteResponse.Written());
                assertThat(now.get(i).orElseThrow().state())
                        .isEqualTo(kinds.get(i % kinds.size()).resultingState());
            }
        }
    }

    @Test
    default void oneThousandClaimsAreAnsweredEachWithItsOwn() {
        var requests = batch(1_000, i -> resumableRequest("key-" + i));

        var claims = client().claimAll(requests);
        var completions = claims.stream()
                .map(answer -> StoreTestClient.expectAcquired(answer).claim())
                .map(claim -> complete(claim, "outcome of " + claim.lookup()))
                .toList();
        assertThat(client().writeAll(completions)).hasSize(1_000).containsOnly(new RecordWriteResponse.Written());

        var found = client().findAll(requests);
        var replays =
                client().claimAll(requests.stream().map(StoreTestData::retryOf).toList());
        for (int i = 0; i < requests.size(); i++) {
            var expected = Optional.of(payload("outcome of " + requests.get(i).lookup()));
            assertThat(found.get(i).orElseThrow().outcome()).isEqualTo(expected);
            assertThat(StoreTestClient.expectFound(replays.get(i)).outcome()).isEqualTo(expected);
        }
    }

    @Test
    default void batchOfLargeOutcomesKeepsThemApart() {
        var requests = batch(20, i -> resumableRequest("key-" + i));
        var writes = new ArrayList<RecordWrite>();
        var expected = new ArrayList<Optional<Payload>>();
        int size = Math.min(100_000, client().store().traits().limits().payloadBytes());
        for (var answer : client().claimAll(requests)) {
            var bytes = new byte[size];
            Arrays.fill(bytes, (byte) writes.size());
            expected.add(Optional.of(Payload.of(bytes)));
            writes.add(new RecordWrite.Complete(
                    StoreTestClient.expectAcquired(answer).claim(), expected.getLast(), Optional.empty()));
        }

        client().writeAll(writes);

        var found = client().findAll(requests);
        for (int i = 0; i < requests.size(); i++) {
            assertThat(found.get(i).orElseThrow().outcome()).isEqualTo(expected.get(i));
        }
    }

    @Test
    default void absentAndPresentRecordsAreFoundInOrder() {
        var requests = batch(20, i -> resumableRequest("key-" + i));
        for (int i = 0; i < requests.size(); i += 3) {
            client().expectAcquired(requests.get(i));
        }

        var found = client().findAll(requests);

        for (int i = 0; i < requests.size(); i++) {
            var expected = i % 3 == 0 ? Optional.of(requests.get(i).lookup()) : Optional.empty();
            assertThat(found.get(i).map(StoredRecord::lookup)).isEqualTo(expected);
        }
    }

    @Test
    default void batchSentAgainAfterALostReplyIsAnsweredAlike() {
        var requests = batch(50, i -> resumableRequest("key-" + i));
        var first = client().claimAll(requests);
        var again = client().claimAll(requests);
        for (int i = 0; i < requests.size(); i++) {
            StoreTestClient.assertSameRecord(
                    StoreTestClient.expectAcquired(again.get(i)), StoreTestClient.expectAcquired(first.get(i)));
        }

        var completions = first.stream()
                .map(answer -> complete(StoreTestClient.expectAcquired(answer).claim(), "done"))
                .toList();
        assertThat(client().writeAll(completions)).containsOnly(new RecordWriteResponse.Written());
        assertThat(client().writeAll(completions)).hasSize(50).containsOnly(new RecordWriteResponse.Written());
    }

    @Test
    default void halfDoneBatchSentAgainIsFinished() {
        var requests = batch(50, i -> resumableRequest("key-" + i));
        var half = client().claimAll(requests.subList(0, 25));

        var all = client().claimAll(requests);

        assertThat(all)
                .allSatisfy(answer -> assertThat(
                                StoreTestClient.expectAcquired(answer).fence())
                        .isEqualTo(1));
        for (int i = 0; i < half.size(); i++) {
            StoreTestClient.assertSameRecord(
                    StoreTestClient.expectAcquired(all.get(i)), StoreTestClient.expectAcquired(half.get(i)));
        }
    }
}
