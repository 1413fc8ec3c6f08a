package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.batch;
import static dev.refrain.store.contract.StoreTestData.checkpoint;
import static dev.refrain.store.contract.StoreTestData.complete;
import static dev.refrain.store.contract.StoreTestData.heldRequest;
import static dev.refrain.store.contract.StoreTestData.identity;
import static dev.refrain.store.contract.StoreTestData.payload;
import static dev.refrain.store.contract.StoreTestData.resumableRequest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.RefrainException;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.StoredRecord;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Tests of the stored format: one handle reads what another wrote, also in the next process and after a crash, and rejects an
 * unknown format.
 */
interface StoredFormatContractTests extends StoreContractPart {

    @Test
    default void storeSaysWhatItIs() {
        assertThat(client().store().traits().name()).isNotBlank();
    }

    @Test
    default void secondHandleOnDurableDataIsAnother() {
        if (client().store().traits().durable()) {
            assertThat(client().harness().openSecond()).isNotSameAs(client().store());
        } else {
            assertThat(client().harness().openSecond()).isNotNull();
        }
    }

    @Test
    default void recordWrittenByOneHandleIsReadInFullByAnother() {
        var written = oneInEachSituation();
        var request = heldRequest("flow").withSubject("eve").withStoredRequest(payload("the request"));
        client().expectWritten(checkpoint(client().expectAcquired(request).claim(), "charge_created", "charge 7"));
        var flow = client().expectPresent("flow");

        var other = new StoreTestClient(client().harness(), client().harness().openSecond());

        other.expectUnchangedSeenAnew(identity("flow"), flow);
        written.forEach((situation, record) -> other.expectUnchangedSeenAnew(identity(situation.name()), record));
        assertThat(other.attention())
                .extracting(AttentionItem::identity)
                .containsExactly(identity(SampleRecord.ATTENTION.name()));
    }

    @Test
    default void claimMadeThroughOneHandleIsCompletedThroughAnother() {
        var other = new StoreTestClient(client().harness(), client().harness().openSecond());
        var claim = client().expectAcquired(resumableRequest("key-1")).claim();

        assertThat(other.expectFound(resumableRequest("key-1")).claim()).isEqualTo(claim);
        other.expectWritten(complete(claim, "the outcome"));

        assertThat(client().expectFound(resumableRequest("key-1")).outcome()).contains(payload("the outcome"));
    }

    /** Both are correct, and the traits say which: acknowledged writes survive the store's process, or end with it. */
    @Test
    default void writeAcknowledgedByADurableStoreSurvivesItsProcess() {
        var written = oneInEachSituation();

        var reopened = client().harness().reopenAfterCrash();

        assertThat(reopened.isPresent()).isEqualTo(client().store().traits().durable());
        reopened.map(store -> new StoreTestClient(client().harness(), store)).ifPresent(after -> {
            written.forEach((situation, record) -> after.expectUnchangedSeenAnew(identity(situation.name()), record));
            after.expectWritten(new RecordWrite.Release(
                    after.expectPresent(SampleRecord.RUNNING.name()).claim()));
            assertThat(after.expectPresent(SampleRecord.RUNNING.name()).state()).isEqualTo(RecordState.RELEASED);
        });
    }

    /** A misread record is worse than an unread one: a record in an unknown format neither runs nor replays. */
    @Test
    default void recordOfALaterVersionIsRefusedNotGuessed() {
        if (!client().store().traits().durable()) {
            assertThat(client().harness().reopenAfterCrash()).isEmpty();
            return;
        }
        client().claimAndComplete(resumableRequest("key-1"), "in another form");
        client().harness().simulateNewerFormat();

        assertThatThrownBy(
                        () -> requireAnswer(client().harness().openSecond().claim(List.of(resumableRequest("key-1")))))
                .isInstanceOf(RefrainException.class)
                .hasMessageContaining("version");
        assertThatThrownBy(() -> client().harness().openSecond().find(List.of(identity("key-1"))))
                .isInstanceOf(RefrainException.class)
                .hasMessageContaining("version");
    }

    private static void requireAnswer(List<ClaimResponse> answers) {
        if (answers.getFirst() instanceof ClaimResponse.Failed failed) {
            throw failed.failure();
        }
    }

    /** The other elements of its batch are claimed as usual. */
    @Test
    default void recordOfALaterVersionStandsInNobodyElsesWay() {
        if (!client().store().traits().durable()) {
            assertThat(client().harness().reopenAfterCrash()).isEmpty();
            return;
        }
        var later = resumableRequest("key-1");
        client().claimAndComplete(later, "in another form");
        client().harness().simulateNewerFormat();
        var other = new StoreTestClient(client().harness(), client().harness().openSecond());
        var requests = batch(7, i -> resumableRequest("key-" + i));

        var answers = other.store().claim(requests);

        for (int i = 0; i < requests.size(); i++) {
            if (requests.get(i).identity().equals(later.identity())) {
                StoreTestClient.expectRejected(answers.get(i));
            } else {
                assertThat(StoreTestClient.expectAcquired(answers.get(i)).fence())
                        .isEqualTo(1);
            }
        }
    }

    /** The record's state cannot be read, but the write certainly has an old fence. */
    @Test
    default void lateWriteToWhatALaterVersionWroteIsRefusedLikeAnyOther() {
        if (!client().store().traits().durable()) {
            assertThat(client().harness().reopenAfterCrash()).isEmpty();
            return;
        }
        var lost = client().expectAcquired(resumableRequest("key-1")).claim();
        client().expectWritten(new RecordWrite.Release(lost));
        client().claimAndComplete(resumableRequest("key-1"), "in another form");
        client().harness().simulateNewerFormat();

        assertThat(client().harness().openSecond().write(List.of(complete(lost, "late"))))
                .containsExactly(new RecordWriteResponse.Refused(Optional.empty()));
    }

    private Map<SampleRecord, StoredRecord> oneInEachSituation() {
        var written = new EnumMap<SampleRecord, StoredRecord>(SampleRecord.class);
        for (var situation : SampleRecord.values()) {
            situation.create(client(), situation.name());
        }
        for (var situation : SampleRecord.values()) {
            written.put(situation, client().expectPresent(situation.name()));
        }
        return written;
    }
}
