package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.LEASE;
import static dev.refrain.store.contract.StoreTestData.batch;
import static dev.refrain.store.contract.StoreTestData.complete;
import static dev.refrain.store.contract.StoreTestData.heldRequest;
import static dev.refrain.store.contract.StoreTestData.identity;
import static dev.refrain.store.contract.StoreTestData.payload;
import static dev.refrain.store.contract.StoreTestData.resumableRequest;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Retention;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.RecordState;
import java.time.Duration;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tests of attention: a record with an unknown outcome is listed until it is resolved, and its own late runner may still complete
 * it.
 */
interface AttentionContractTests extends StoreContractPart {

    @Test
    default void unknownOutcomeIsListedWithItsReason() {
        var held =
                client().claimAndEscalate(resumableRequest("key-1"), "the connection broke after the request was sent");
        client().advanceTime(Duration.ofHours(2));

        assertThat(held.state()).isEqualTo(RecordState.ATTENTION);
        assertThat(client().attention()).singleElement().satisfies(item -> {
            assertThat(item.identity()).isEqualTo(identity("key-1"));
            assertThat(item.claim()).isEqualTo(held.claim());
            assertThat(item.reason()).isEqualTo("the connection broke after the request was sent");
            assertThat(item.age())
                    .isBetween(Duration.ofHours(2), Duration.ofHours(2).plus(StoreTestData.SLACK));
        });
    }

    @Test
    default void nothingElseIsListed() {
        for (var situation : SampleRecord.values()) {
            situation.create(client(), situation.name());
        }

        assertThat(client().attention())
                .extracting(AttentionItem::identity)
                .containsExactly(identity(SampleRecord.ATTENTION.name()));
    }

    @Test
    default void recordsOfAllScopesAreListedOldestFirst() {
        for (var scope : new String[] {"tenant-c", "tenant-a", "tenant-b"}) {
            var request = StoreTestData.request(
                    new ScopedKey(scope, "payments.create", "key-1"),
                    LeaseExpiryPolicy.HOLD,
                    Retention.of(StoreTestData.RETENTION));
            client().claimAndEscalate(request, "the connection broke");
            client().advanceTime(Duration.ofMinutes(1));
        }

        assertThat(client().attention())
                .extracting(item -> item.identity().scope())
                .containsExactly("tenant-c", "tenant-a", "tenant-b");
    }

    /** All records entered attention at the same time, so the time alone does not mark the end of a page. */
    @Test
    default void pagesFollowOneAnotherWithoutGapOrRepetition() {
        client().claimAll(batch(25, i -> heldRequest("key-" + i)));
        client().advanceTime(LEASE);
        client().store().sweep(Duration.ZERO, 100);

        var listed = new ArrayList<AttentionItem>();
        @Nullable AttentionItem after = null;
        while (true) {
            var page = client().store().listAttention(after, 4);
            assertThat(page).hasSizeLessThanOrEqualTo(4);
            if (page.isEmpty()) {
                break;
            }
            listed.addAll(page);
            after = page.getLast();
        }

        assertThat(listed)
                .extracting(AttentionItem::identity)
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(batch(25, i -> heldRequest("key-" + i)).stream()
                        .map(ClaimRequest::identity)
                        .toList());
        assertThat(listed).extracting(AttentionItem::since).isSorted();
    }

    @Test
    default void pageIsFoundAfterARecordThatWasSettledMeanwhile() {
        for (int i = 0; i < 3; i++) {
            client().claimAndEscalate(heldRequest("key-" + i), "the connection broke");
            client().advanceTime(Duration.ofMinutes(1));
        }
        var first = client().store().listAttention(null, 1).getFirst();
        client().expectWritten(complete(first.claim(), "it went through"));

        assertThat(client().store().listAttention(first, 10))
                .extracting(AttentionItem::identity)
                .containsExactly(identity("key-1"), identity("key-2"));
    }

    @Test
    default void lateRunnerCompletesItsRecordInAttentionUnderTheSameFence() {
        var claim = client().expectAcquired(heldRequest("key-1")).claim();
        client().advanceTime(LEASE);
        assertThat(client().expectFound(heldRequest("key-1")).state()).isEqualTo(RecordState.ATTENTION);

        client().expectWritten(complete(claim, "it went through"));

        var completed = client().expectFound(heldRequest("key-1"));
        assertThat(completed.state()).isEqualTo(RecordState.COMPLETED);
        assertThat(completed.outcome()).contains(payload("it went through"));
        assertThat(completed.claim()).isEqualTo(claim);
        assertThat(client().attention()).isEmpty();
    }

    @Test
    default void lateRunnerCompletesItsRecordSweptToAttention() {
        var claim = client().expectAcquired(heldRequest("key-1")).claim();
        client().advanceTime(LEASE);
        client().store().sweep(Duration.ZERO, 10);

        client().expectWritten(complete(claim, "it went through"));

        assertThat(client().expectFound(heldRequest("key-1")).outcome()).contains(payload("it went through"));
        assertThat(client().attention()).isEmpty();
    }

    @Test
    default void askingForItAgainDoesNotMakeItYounger() {
        client().claimAndEscalate(heldRequest("key-1"), "the connection broke");
        client().advanceTime(Duration.ofHours(5));

        client().expectFound(heldRequest("key-1"));
        client().store().sweep(Duration.ZERO, 10);

        assertThat(client().attention())
                .singleElement()
                .satisfies(item -> assertThat(item.age()).isGreaterThanOrEqualTo(Duration.ofHours(5)));
    }
}
