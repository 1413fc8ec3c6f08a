package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.complete;
import static dev.refrain.store.contract.StoreTestData.payload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.RecordId;
import dev.refrain.api.RecoveryPoint;
import dev.refrain.api.Retention;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.Fingerprint;
import dev.refrain.store.RecordBrowser;
import dev.refrain.store.RecordEraser;
import dev.refrain.store.RecordExplanation;
import dev.refrain.store.RecordPage;
import dev.refrain.store.RecordPage.Order;
import dev.refrain.store.RecordSearch;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordView;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.Resolution;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Suite of the ability {@link RecordBrowser}: people find a record by its names and its id, and page through the others. */
public interface BrowsingContract extends StoreContractPart {

    Duration LONG = Duration.ofMinutes(5);

    private RecordBrowser browser() {
        return client().ability(RecordBrowser.class);
    }

    @Test
    default void recordIsFoundByItsNamesAndByItsIdWithAllThatIsKnown() {
        var wish = claimed("acme", "payments.create", "k1").withStoredRequest(payload("twelve bytes"));
        var record = client().expectAcquired(wish);
        client().expectWritten(new RecordWrite.Checkpoint(
                record.claim(), RecoveryPoint.reached("charged"), Optional.of(payload("abc")), Optional.of(LONG)));

        var view = browser().find(wish.identity()).orElseThrow();
        assertThat(browser().find(record.id()).map(BrowsingContract::unmoved)).contains(unmoved(view));
        assertThat(view.identity()).contains(wish.identity());
        assertThat(view.claim()).isEqualTo(record.claim());
        assertThat(view.state()).isEqualTo(RecordState.IN_PROGRESS);
        assertThat(view.takeOver()).isEqualTo(LeaseExpiryPolicy.RESUME);
        assertThat(view.recipe()).contains("1/test");
        assertThat(view.recoveryPoint()).contains(RecoveryPoint.reached("charged"));
        assertThat(view.sizes().request().orElseThrow()).isGreaterThanOrEqualTo(12);
        assertThat(view.sizes().carried().orElseThrow()).isGreaterThanOrEqualTo(3);
        assertThat(view.sizes().outcome()).isEmpty();
        assertThat(view.leaseOver()).isFalse();
        var times = view.times();
        assertThat(Duration.between(times.claimed(), times.seen())).isBetween(Duration.ZERO, LONG);
        assertThat(times.leaseUntil().orElseThrow()).isAfter(times.seen());
        assertThat(Duration.between(times.claimed(), times.expires().orElseThrow()))
                .isCloseTo(Duration.ofHours(24), Duration.ofMinutes(1));

        client().expectWritten(complete(record.claim(), "done"));
        var done = browser().find(wish.identity()).orElseThrow();
        assertThat(done.state()).isEqualTo(RecordState.COMPLETED);
        assertThat(done.sizes().outcome().orElseThrow()).isGreaterThanOrEqualTo(4);
        assertThat(done.sizes().request()).isEmpty();
        assertThat(done.times().leaseUntil()).isEmpty();
        assertThat(done.times().completed()).isPresent();
    }

    @Test
    default void nobodyElsesRecordIsFoundAndNothingThatHasExpired() {
        var wish = claimed("acme", "n", "k");
        var record = client().expectAcquired(wish);
        client().expectWritten(complete(record.claim(), "done"));
        assertThat(browser().find(new ScopedKey("other", "n", "k"))).isEmpty();
        assertThat(browser().find(new RecordId(UUID.randomUUID()))).isEmpty();

        client().advanceTime(Duration.ofHours(24));
        assertThat(browser().find(wish.identity())).isEmpty();
        assertThat(browser().find(record.id())).isEmpty();
        assertThat(browser().search(RecordSearch.ofPageSize(10)).records()).isEmpty();
        assertThat(browser().search(RecordSearch.ofPageSize(10).scope("acme")).records())
                .isEmpty();
    }

    @Test
    default void recordInAttentionSaysWhyAndItsTrailSaysWhoDecided() {
        var record = client().expectAcquired(StoreTestData.heldRequest("k"));
        client().expectWritten(new RecordWrite.Escalate(record.claim(), "nobody knows"));
        var view = browser().find(StoreTestData.identity("k")).orElseThrow();
        assertThat(view.attention().orElseThrow().reason()).isEqualTo("nobody knows");

        browser().auditReveal(record.id(), "ann", "customer asks");
        client().store().resolve(new Resolution(record.claim(), new Resolution.RunAgain(), "bob", "not charged"));
        client().expectAcquired(StoreTestData.resumableRequest("other"));
        browser().auditReveal(new RecordId(UUID.randomUUID()), "ann", "another one");
        assertThat(browser().audit(record.id(), 10))
                .extracting(AuditEntry::action, AuditEntry::who, AuditEntry::why)
                .containsExactly(
                        tuple("resolve: released", "bob", "not charged"), tuple("reveal", "ann", "customer asks"));
        assertThatThrownBy(() -> browser().auditReveal(record.id(), "ann", " "))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    default void erasedRecordIsListedWithoutItsNames() {
        var record = client().expectAcquired(claimed("acme", "n", "k"));
        client().expectWritten(complete(record.claim(), "done"));
        if (client().store().ability(RecordEraser.class).isEmpty()) {
            return;
        }
        client().eraser().erase(new ErasureRequest(new ErasureRequest.OfScope("acme"), "ann", "asked to", 10));

        assertThat(browser().search(RecordSearch.ofPageSize(10)).records())
                .singleElement()
                .satisfies(view -> assertThat(view.identity()).isEmpty());
        assertThat(browser().search(RecordSearch.ofPageSize(10).namespace("n")).records())
                .isEmpty();
    }

    @Test
    default void pagesOfASearchHoldEachRecordOnceAndTheNewestFirst() {
        var claims = new ArrayList<ClaimRef>();
        for (int i = 0; i < 25; i++) {
            claims.add(client().expectAcquired(claimed("scope" + i % 3, "n" + i % 2, "k" + i))
                    .claim());
        }
        assertThat(all(RecordSearch.ofPageSize(4)))
                .extracting(RecordView::claim)
                .containsExactlyInAnyOrderElementsOf(claims)
                .hasSize(25);
        assertThat(all(RecordSearch.ofPageSize(4)))
                .extracting(view -> view.times().claimed())
                .isSortedAccordingTo(Comparator.reverseOrder());
        assertThat(all(RecordSearch.ofPageSize(3).scope("scope1"))).hasSize(8);
        assertThat(all(RecordSearch.ofPageSize(3).scope("scope1").namespace("n0")))
                .hasSize(4);
        assertThat(all(RecordSearch.ofPageSize(3).key("k7")))
                .extracting(RecordView::claim)
                .containsExactly(claims.get(7));

        client().expectWritten(complete(claims.get(5), "done"));
        assertThat(all(RecordSearch.ofPageSize(1).state(RecordState.COMPLETED)))
                .extracting(RecordView::claim)
                .containsExactly(claims.get(5));
    }

    @Test
    default void searchByTimeTakesTheFirstClaimOnTheStoresClock() {
        var before = client().expectAcquired(claimed("acme", "n", "old"));
        var moment = browser().find(before.id()).orElseThrow().times().claimed();
        var search = RecordSearch.ofPageSize(10);
        assertThat(all(search.from(moment))).hasSize(1);
        assertThat(all(search.from(moment.plusMillis(1)))).isEmpty();
        assertThat(all(search.to(moment))).isEmpty();
        assertThat(all(search.to(moment.plusMillis(1)))).hasSize(1);
        assertThat(all(search.scope("acme").from(Instant.MIN).to(Instant.MAX))).hasSize(1);
        assertThat(browser().search(search.scope("acme").from(moment)).order()).isEqualTo(Order.NEWEST_FIRST);
    }

    private List<RecordView> all(RecordSearch search) {
        var found = new ArrayList<RecordView>();
        Optional<RecordPage> page = Optional.of(browser().search(search));
        while (page.isPresent()) {
            assertThat(page.get().records()).hasSizeLessThanOrEqualTo(search.limit());
            found.addAll(page.get().records());
            page = page.get().next().map(next -> browser().search(search.after(next)));
        }
        return found;
    }

    private static ClaimRequest claimed(String scope, String namespace, String key) {
        return ClaimRequest.of(
                new ScopedKey(scope, namespace, key),
                Fingerprint.stored("1/test", new byte[Fingerprint.DIGEST_BYTES]),
                ExecutionEnvironment.system().newNonce(),
                LONG,
                LeaseExpiryPolicy.RESUME,
                Retention.of(Duration.ofHours(24)));
    }

    @Test
    default void viewExplainsTheRecordAsTheStoreDoes() {
        var claim = client().expectAcquired(
                        claimed("tenant-1", "payments.create", "key-1").withOrigin(ExplanationContractTests.FIRST))
                .claim();
        client().expectWritten(new RecordWrite.Release(claim));
        client().expectAcquired(
                        claimed("tenant-1", "payments.create", "key-1").withOrigin(ExplanationContractTests.SECOND));
        var identity = new ScopedKey("tenant-1", "payments.create", "key-1");

        var store = client().store().explain(identity).orElseThrow();
        var view = browser().find(identity).orElseThrow().explanation();
        var listed = browser()
                .search(RecordSearch.ofPageSize(10).scope("tenant-1"))
                .records()
                .getFirst();
        for (var seen : List.of(view, listed.explanation())) {
            assertThat(seen.operation()).isEqualTo(store.operation()).isPresent();
            assertThat(seen.caller()).isEqualTo(store.caller()).isPresent();
            assertThat(seen.traceId()).isEqualTo(store.traceId()).isPresent();
            assertThat(seen.calls()).isEqualTo(store.calls()).isNotEmpty();
            assertThat(seen.attempts()).isEqualTo(store.attempts()).hasSize(2);
        }
    }

    /** Returns a view without the time at which it was read. */
    private static RecordView unmoved(RecordView v) {
        var t = v.times();
        return new RecordView(
                v.identity(),
                v.claim(),
                v.state(),
                v.takeOver(),
                v.recipe(),
                v.subject(),
                new RecordView.RecordTimestamps(t.claimed(), t.completed(), t.leaseUntil(), t.expires(), Instant.EPOCH),
                v.sizes(),
                v.attention(),
                new RecordExplanation(
                        v.explanation().operation(),
                        v.explanation().caller(),
                        v.explanation().traceId(),
                        Duration.ZERO,
                        v.explanation().recoveryPoint(),
                        v.explanation().calls(),
                        v.explanation().attempts()));
    }
}
