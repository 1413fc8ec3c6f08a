package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.LEASE;
import static dev.refrain.store.contract.StoreTestData.batch;
import static dev.refrain.store.contract.StoreTestData.resumableRequest;
import static dev.refrain.store.contract.StoreTestData.roundedUp;
import static dev.refrain.store.contract.StoreTestData.sorted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.RecoveryPoint;
import dev.refrain.api.Retention;
import dev.refrain.store.ClaimOrigin;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a row that cannot be stored fails alone, and the other answers of its batch stand. */
interface RejectedRowContractTests extends StoreContractPart {

    /** A store may keep a NUL or reject its row; the other rows are claimed either way. */
    @ParameterizedTest
    @ValueSource(ints = {0, 3, 6})
    default void claimThatCannotBeStoredFailsAlone(int guilty) {
        var requests = new ArrayList<>(batch(7, i -> resumableRequest("key-" + i)));
        requests.set(guilty, requests.get(guilty).withSubject("eve\0"));

        var answers = client().claimAll(requests);

        assertThat(answers).hasSize(7);
        for (int i = 0; i < 7; i++) {
            if (i == guilty && answers.get(i) instanceof ClaimResponse.Failed) {
                StoreTestClient.expectRejected(answers.get(i));
                assertThat(client().find(requests.get(i).identity())).isEmpty();
            } else {
                var made = StoreTestClient.expectAcquired(answers.get(i));
                client().expectUnchanged(requests.get(i).identity(), made);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 6})
    default void writeThatCannotBeStoredFailsAlone(int guilty) {
        var requests = batch(7, i -> resumableRequest("key-" + i));
        var claims = client().claimAll(requests).stream()
                .map(answer -> StoreTestClient.expectAcquired(answer).claim())
                .toList();
        for (var bad : List.of(
                new RecordWrite.Escalate(claims.get(guilty), "broke\0"),
                new RecordWrite.Checkpoint(
                        claims.get(guilty), RecoveryPoint.reached("point\0"), Optional.empty(), Optional.of(LEASE)))) {
            var writes = new ArrayList<RecordWrite>();
            claims.forEach(claim -> writes.add(new RecordWrite.Renew(claim, LEASE.multipliedBy(2))));
            writes.set(guilty, bad);

            var answers = client().writeAll(writes);

            if (!(answers.get(guilty) instanceof RecordWriteResponse.Failed)) {
                assertThat(answers).containsOnly(new RecordWriteResponse.Written());
                return;
            }
            for (int i = 0; i < 7; i++) {
                var record = client().expectPresent(requests.get(i).identity());
                assertThat(record.state()).isEqualTo(RecordState.IN_PROGRESS);
                assertThat(record.recoveryPoint()).isEmpty();
                if (i == guilty) {
                    StoreTestClient.expectRejected(answers.get(i));
                    assertThat(record.remainingLease()).isLessThanOrEqualTo(roundedUp(LEASE));
                } else {
                    assertThat(answers.get(i)).isEqualTo(new RecordWriteResponse.Written());
                    assertThat(record.remainingLease()).isGreaterThan(LEASE);
                }
            }
        }
    }

    @Test
    default void claimAtTheLookupOfAnotherIdentityFailsAlone() {
        var taken = client().claimAndComplete(resumableRequest("taken"), "theirs");
        var intruder = new ClaimRequest(
                StoreTestData.identity("intruder"),
                taken.lookup(),
                StoreTestData.fingerprint("the request"),
                UUID.randomUUID(),
                LEASE,
                LeaseExpiryPolicy.RESUME,
                Retention.FOREVER,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                ClaimOrigin.UNKNOWN);
        var requests = sorted(Stream.concat(batch(6, i -> resumableRequest("key-" + i)).stream(), Stream.of(intruder))
                .toList());

        var answers = client().claimAll(requests);

        for (int i = 0; i < requests.size(); i++) {
            if (requests.get(i).equals(intruder)) {
                StoreTestClient.expectRejected(answers.get(i));
            } else {
                StoreTestClient.expectAcquired(answers.get(i));
            }
        }
        client().expectUnchanged(StoreTestData.identity("taken"), taken);
    }
}
