package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.LEASE;
import static dev.refrain.store.contract.StoreTestData.RETENTION;
import static dev.refrain.store.contract.StoreTestData.SCOPE;
import static dev.refrain.store.contract.StoreTestData.batch;
import static dev.refrain.store.contract.StoreTestData.complete;
import static dev.refrain.store.contract.StoreTestData.conflictingRequest;
import static dev.refrain.store.contract.StoreTestData.heldRequest;
import static dev.refrain.store.contract.StoreTestData.identity;
import static dev.refrain.store.contract.StoreTestData.payload;
import static dev.refrain.store.contract.StoreTestData.resumableRequest;
import static dev.refrain.store.contract.StoreTestData.retryOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.Payload;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.AbandonedRecordSearch;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.CompletionQueue;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.KeptRequestReader;
import dev.refrain.store.RecordBrowser;
import dev.refrain.store.RecordEraser;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.Resolution;
import dev.refrain.store.contract.OutcomeBytesContractTests.SampleBytes;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Suite of the ability {@link KeptRequestReader}: a person who has to decide about a record sees the request as it was received, and
 * nobody sees it once the record is settled.
 */
public interface KeptRequestContract extends StoreContractPart {

    private static ClaimRequest keeping(ClaimRequest request, String text) {
        return request.withKeptRequest(payload(text));
    }

    private Optional<Payload> kept(String key) {
        return client().ability(KeptRequestReader.class).readKeptRequest(identity(key));
    }

    private ClaimRef claimed(ClaimRequest request) {
        return client().expectAcquired(request).claim();
    }

    @ParameterizedTest
    @EnumSource(SampleBytes.class)
    default void keptRequestComesBackByteForByte(SampleBytes bytes) {
        var payload = bytes.payload(client().store().traits().limits());
        claimed(heldRequest("key-1").withKeptRequest(payload));

        assertThat(kept("key-1")).contains(payload);
    }

    @Test
    default void requestIsKeptOnlyWhereTheClaimAsksForIt() {
        claimed(heldRequest("without"));
        claimed(keeping(heldRequest("with"), "pay 7"));

        assertThat(kept("without")).isEmpty();
        assertThat(kept("absent")).isEmpty();
        assertThat(kept("with")).contains(payload("pay 7"));
        assertThat(client().ability(KeptRequestReader.class)
                        .readKeptRequest(
                                new ScopedKey("tenant-2", identity("with").namespace(), "with")))
                .isEmpty();
    }

    @Test
    default void eachClaimOfABatchKeepsItsOwnRequest() {
        var requests =
                batch(20, i -> i % 2 == 0 ? keeping(heldRequest("key-" + i), "pay " + i) : heldRequest("key-" + i));

        assertThat(client().claimAll(requests)).allMatch(ClaimResponse.Acquired.class::isInstance);

        for (int i = 0; i < 20; i++) {
            assertThat(kept("key-" + i))
                    .as("key-%s", i)
                    .isEqualTo(i % 2 == 0 ? Optional.of(payload("pay " + i)) : Optional.empty());
        }
    }

    @Test
    default void recordInAttentionStillHasItsRequest() {
        var escalated = claimed(keeping(heldRequest("escalated"), "pay 1"));
        client().expectWritten(new RecordWrite.Escalate(escalated, "the connection broke"));
        claimed(keeping(heldRequest("retried"), "pay 2"));
        claimed(keeping(heldRequest("swept"), "pay 3"));
        client().advanceTime(LEASE.plusSeconds(1));
        assertThat(client().expectFound(keeping(heldRequest("retried"), "pay 2 again"))
                        .state())
                .isEqualTo(RecordState.ATTENTION);
        client().store().sweep(Duration.ZERO, 10);

        assertThat(client().attention()).hasSize(3);
        assertThat(kept("escalated")).contains(payload("pay 1"));
        assertThat(kept("retried")).contains(payload("pay 2"));
        assertThat(kept("swept")).contains(payload("pay 3"));
    }

    @Test
    default void completionRemovesTheKeptRequest() {
        var early = claimed(keeping(heldRequest("early"), "pay 1"));
        client().expectWritten(complete(early, "paid"));
        var late = claimed(keeping(heldRequest("late"), "pay 2"));
        client().expectWritten(new RecordWrite.Escalate(late, "the connection broke"));
        client().expectWritten(complete(late, "paid after all"));
        var bare = claimed(keeping(heldRequest("without an outcome"), "pay 3"));
        client().expectWritten(new RecordWrite.Complete(bare, Optional.empty(), Optional.empty()));

        assertThat(kept("early")).isEmpty();
        assertThat(kept("late")).isEmpty();
        assertThat(kept("without an outcome")).isEmpty();
        assertThat(client().expectPresent("early").outcome()).contains(payload("paid"));
    }

    @Test
    default void releaseRemovesTheKeptRequestAndTheNextClaimBringsItsOwn() {
        client().expectWritten(new RecordWrite.Release(claimed(keeping(resumableRequest("key-1"), "pay 7"))));
        assertThat(kept("key-1")).isEmpty();

        var second = claimed(keeping(resumableRequest("key-1"), "pay 7 again"));
        assertThat(kept("key-1")).contains(payload("pay 7 again"));

        client().expectWritten(new RecordWrite.Release(second));
        claimed(resumableRequest("key-1"));
        assertThat(kept("key-1")).as("removed, not only hidden").isEmpty();
    }

    @Test
    default void sweepThatReleasesRemovesTheKeptRequest() {
        claimed(keeping(resumableRequest("key-1"), "pay 7"));
        client().advanceTime(LEASE.plusSeconds(1));
        client().store().sweep(Duration.ZERO, 10);
        assertThat(client().expectPresent("key-1").state()).isEqualTo(RecordState.RELEASED);

        assertThat(kept("key-1")).isEmpty();
        claimed(resumableRequest("key-1"));
        assertThat(kept("key-1")).as("removed, not only hidden").isEmpty();
    }

    @Test
    default void decisionRemovesTheKeptRequest() {
        var done = claimed(keeping(heldRequest("done"), "pay 1"));
        client().expectWritten(new RecordWrite.Escalate(done, "the connection broke"));
        client().resolve(done, new Resolution.Done(payload("paid")));
        var again = claimed(keeping(heldRequest("again"), "pay 2"));
        client().expectWritten(new RecordWrite.Escalate(again, "the connection broke"));
        client().resolve(again, new Resolution.RunAgain());

        assertThat(kept("done")).isEmpty();
        assertThat(client().expectPresent("done").outcome()).contains(payload("paid"));
        assertThat(kept("again")).isEmpty();
        claimed(heldRequest("again"));
        assertThat(kept("again")).as("removed, not only hidden").isEmpty();
    }

    @Test
    default void takeoverKeepsTheFirstRequestAndBringsOneIfThereIsNone() {
        claimed(keeping(resumableRequest("with"), "pay 1"));
        claimed(resumableRequest("without"));
        client().advanceTime(LEASE.plusSeconds(1));

        assertThat(claimed(keeping(resumableRequest("with"), "pay 1 again")).fence())
                .isEqualTo(2);
        assertThat(claimed(keeping(resumableRequest("without"), "pay 2")).fence())
                .isEqualTo(2);

        assertThat(kept("with")).contains(payload("pay 1"));
        assertThat(kept("without")).contains(payload("pay 2"));
    }

    @Test
    default void claimThatIsNotAcquiredKeepsNothing() {
        var first = keeping(heldRequest("with"), "pay 1");
        claimed(first);
        claimed(heldRequest("without"));

        client().expectFound(keeping(retryOf(first), "a twin"));
        client().expectFound(keeping(conflictingRequest(first), "another request"));
        client().expectFound(keeping(heldRequest("without"), "a twin"));
        assertThat(client().expectAcquired(first).fence())
                .as("its own claim, sent again")
                .isEqualTo(1);

        assertThat(kept("with")).contains(payload("pay 1"));
        assertThat(kept("without")).isEmpty();
    }

    @Test
    default void recordMadeAnewHasOnlyItsOwnRequest() {
        client().claimAndComplete(keeping(heldRequest("key-1"), "pay 1"), "paid");
        client().claimAndComplete(keeping(heldRequest("key-2"), "pay 2"), "paid");
        client().advanceTime(RETENTION);

        claimed(heldRequest("key-1"));
        claimed(keeping(heldRequest("key-2"), "pay 3"));

        assertThat(kept("key-1")).isEmpty();
        assertThat(kept("key-2")).contains(payload("pay 3"));
    }

    @Test
    default void reapedRecordLeavesNoRequestBehind() {
        client().claimAndRelease(keeping(resumableRequest("key-1"), "pay 1"));
        client().advanceTime(RETENTION);
        client().expectReaped(1, client().store().reap(10));

        assertThat(kept("key-1")).isEmpty();
        claimed(resumableRequest("key-1"));
        assertThat(kept("key-1")).isEmpty();
    }

    private void eraseEve() {
        client().whereAble(
                        RecordEraser.class,
                        eraser -> eraser.erase(new ErasureRequest(
                                new ErasureRequest.OfSubject(SCOPE, "eve"), "ann", "asked for it", 10)));
    }

    /** The record stays, because it cannot be finished without what it says; the request is no part of that. */
    @Test
    default void erasureRemovesTheKeptRequestOfWhatIsInUse() {
        String eve = "eve";
        claimed(keeping(heldRequest("running").withSubject(eve), "eve pays"));
        var held = claimed(keeping(heldRequest("held").withSubject(eve), "eve pays"));
        client().expectWritten(new RecordWrite.Escalate(held, "the connection broke"));
        claimed(keeping(heldRequest("bob's").withSubject("bob"), "bob pays"));

        eraseEve();

        boolean erases = client().store().ability(RecordEraser.class).isPresent();
        assertThat(kept("running").isEmpty()).isEqualTo(erases);
        assertThat(kept("held").isEmpty()).isEqualTo(erases);
        assertThat(kept("bob's")).contains(payload("bob pays"));
        assertThat(client().expectPresent("running").state()).isEqualTo(RecordState.IN_PROGRESS);
        assertThat(client().attention()).hasSize(1);
    }

    @Test
    default void erasedRecordHasNoRequest() {
        client().claimAndRelease(keeping(resumableRequest("key-1").withSubject("eve"), "eve pays"));
        eraseEve();

        assertThat(kept("key-1")).isEmpty();
        claimed(resumableRequest("key-1"));
        assertThat(kept("key-1")).isEmpty();
    }

    /** A request for people is not one to complete the work from, and no record that is read for a claim carries it. */
    @Test
    default void keptRequestIsNoStoredRequest() {
        assertThat(client().expectAcquired(keeping(resumableRequest("key-1"), "pay 1"))
                        .request())
                .isEmpty();
        assertThat(client().expectPresent("key-1").request()).isEmpty();
        client().whereAble(RecordBrowser.class, browser -> {
            var sizes = browser.find(identity("key-1")).orElseThrow().sizes();
            assertThat(sizes.request()).isEmpty();
            assertThat(sizes.keptRequest()).isPresent();
        });
        client().advanceTime(LEASE.plusHours(2));

        client().whereAble(CompletionQueue.class, queue -> {
            assertThat(queue.listUnfinished(identity("key-1").namespace(), Duration.ZERO, 10))
                    .isEmpty();
            assertThat(queue.pollAbandoned(new AbandonedRecordSearch(
                                    identity("key-1").namespace(), Duration.ofMinutes(1), Duration.ofMinutes(1), 3, 10))
                            .abandoned())
                    .isEmpty();
        });
    }
}
