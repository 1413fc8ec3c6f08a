package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.acquired;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.complete;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.payload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.RecordId;
import dev.refrain.api.Retention;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.Fingerprint;
import dev.refrain.store.RecordBrowser;
import dev.refrain.store.RecordPage;
import dev.refrain.store.RecordPage.Order;
import dev.refrain.store.RecordSearch;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordView;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.Resolution;
import dev.refrain.store.StoreException;
import dev.refrain.store.jdbc.internal.browse.JdbcRecordBrowser;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** People find a record by its names and its id, and page through the others, without reading the whole table. */
@ParameterizedClass
@EnumSource(BrowsableDatabase.class)
class RecordBrowserTest {

    private static final Duration LONG = Duration.ofMinutes(5);

    @Parameter
    BrowsableDatabase database;

    @TempDir
    Path directory;

    private DataSource source;
    private JdbcStore store;
    private RecordBrowser browsing;

    @BeforeEach
    void open() {
        source = database.open(directory);
        store = JdbcStore.builder(source).createBrowsingIndex(true).build();
        browsing = store.recordBrowser();
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void aRecordIsFoundByItsNamesAndByItsIdWithAllThatIsKnown() {
        var wish = claimed("acme", "payments.create", "k1").withStoredRequest(Optional.of(payload("twelve bytes")));
        var record = acquired(store, wish);
        store.write(List.of(
                new RecordWrite.Checkpoint(record.claim(), "charged", Optional.of(payload("abc")), Optional.of(LONG))));

        var view = browsing.find(wish.identity()).orElseThrow();
        assertThat(browsing.find(record.id()).map(RecordBrowserTest::unmoved)).contains(unmoved(view));
        assertThat(view.identity()).contains(wish.identity());
        assertThat(view.claim()).isEqualTo(record.claim());
        assertThat(view.state()).isEqualTo(RecordState.IN_PROGRESS);
        assertThat(view.takeOver()).isEqualTo(LeaseExpiryPolicy.RESUME);
        assertThat(view.recipe()).contains("1/test");
        assertThat(view.recoveryPoint()).contains("charged");
        assertThat(view.sizes().request()).hasValue(12);
        assertThat(view.sizes().carried()).hasValue(3);
        assertThat(view.sizes().outcome()).isEmpty();
        assertThat(view.leaseOver()).isFalse();
        var times = view.times();
        assertThat(Duration.between(times.claimed(), times.seen())).isBetween(Duration.ZERO, LONG);
        assertThat(times.leaseUntil().orElseThrow()).isAfter(times.seen());
        assertThat(Duration.between(times.claimed(), times.expires().orElseThrow()))
                .isCloseTo(Duration.ofHours(24), Duration.ofMinutes(1));

        store.write(List.of(complete(record.claim(), "done")));
        var done = browsing.find(wish.identity()).orElseThrow();
        assertThat(done.state()).isEqualTo(RecordState.COMPLETED);
        assertThat(done.sizes().outcome()).hasValue(4);
        assertThat(done.sizes().request()).isEmpty();
        assertThat(done.times().leaseUntil()).isEmpty();
        assertThat(done.times().completed()).isPresent();
    }

    @Test
    void aRecordWrittenAtOnceShowsHowLargeItsOutcomeIs() {
        var wish = claimed("acme", "n", "k");
        try (var transaction = store.transactions().begin()) {
            var record = ClaimRequestFixtures.record(transaction.tryClaim(wish), true);
            transaction.complete(wish, record, Optional.of(payload("12345")));
            transaction.commit();
        }
        var view = browsing.find(wish.identity()).orElseThrow();
        assertThat(view.sizes().outcome()).hasValue(5);
        assertThat(view.times().leaseUntil()).isEmpty();
    }

    @Test
    void nobodyElsesRecordIsFoundAndNothingThatHasExpired() {
        var wish = claimed("acme", "n", "k");
        var record = acquired(store, wish);
        store.write(List.of(complete(record.claim(), "done")));
        assertThat(browsing.find(new ScopedKey("other", "n", "k"))).isEmpty();
        assertThat(browsing.find(new RecordId(UUID.randomUUID()))).isEmpty();

        database.expire(source, "k");
        assertThat(browsing.find(wish.identity())).isEmpty();
        assertThat(browsing.find(record.id())).isEmpty();
        assertThat(browsing.search(RecordSearch.ofPageSize(10)).records()).isEmpty();
        assertThat(browsing.search(RecordSearch.ofPageSize(10).scope("acme")).records())
                .isEmpty();
    }

    @Test
    void whatWaitsForADecisionSaysWhyAndItsTrailSaysWhoDecided() {
        var record = acquired(store, claimRequest("k", LeaseExpiryPolicy.HOLD, LONG));
        store.write(List.of(new RecordWrite.Escalate(record.claim(), "nobody knows")));
        var view =
                browsing.find(new ScopedKey("tenant", "payments.create", "k")).orElseThrow();
        assertThat(view.attention().orElseThrow().reason()).isEqualTo("nobody knows");

        browsing.auditReveal(record.id(), "ann", "customer asks");
        store.resolve(new Resolution(record.claim(), new Resolution.RunAgain(), "bob", "not charged"));
        acquired(store, claimRequest("other"));
        browsing.auditReveal(new RecordId(UUID.randomUUID()), "ann", "another one");
        assertThat(browsing.audit(record.id(), 10))
                .extracting(AuditEntry::action, AuditEntry::who, AuditEntry::why)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("resolve: released", "bob", "not charged"),
                        org.assertj.core.groups.Tuple.tuple("reveal", "ann", "customer asks"));
        assertThatThrownBy(() -> browsing.auditReveal(record.id(), "ann", " "))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anErasedRecordIsListedWithoutItsNames() {
        var record = acquired(store, claimed("acme", "n", "k"));
        store.write(List.of(complete(record.claim(), "done")));
        store.erase(new ErasureRequest(new ErasureRequest.OfScope("acme"), "ann", "asked to", 10));

        assertThat(browsing.search(RecordSearch.ofPageSize(10)).records())
                .singleElement()
                .satisfies(view -> assertThat(view.identity()).isEmpty());
        assertThat(browsing.search(RecordSearch.ofPageSize(10).namespace("n")).records())
                .isEmpty();
    }

    @Test
    void thePagesOfASearchHoldEachRecordOnceAndTheNewestFirst() {
        var claims = new ArrayList<ClaimRef>();
        for (int i = 0; i < 25; i++) {
            claims.add(acquired(store, claimed("scope" + i % 3, "n" + i % 2, "k" + i))
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

        store.write(List.of(complete(claims.get(5), "done")));
        assertThat(all(RecordSearch.ofPageSize(1).state(RecordState.COMPLETED)))
                .extracting(RecordView::claim)
                .containsExactly(claims.get(5));
    }

    @Test
    void aSearchByTimeTakesTheFirstClaimOnTheStoresClock() {
        var before = acquired(store, claimed("acme", "n", "old"));
        var moment = browsing.find(before.id()).orElseThrow().times().claimed();
        var search = RecordSearch.ofPageSize(10);
        assertThat(all(search.from(moment))).hasSize(1);
        assertThat(all(search.from(moment.plusMillis(1)))).isEmpty();
        assertThat(all(search.to(moment))).isEmpty();
        assertThat(all(search.to(moment.plusMillis(1)))).hasSize(1);
        assertThat(all(search.scope("acme").from(Instant.MIN).to(Instant.MAX))).hasSize(1);
        assertThat(browsing.search(search.scope("acme").from(moment)).order()).isEqualTo(Order.NEWEST_FIRST);
    }

    @Test
    void aWalkThatFindsNothingEndsAndSaysFromWhereToGoOn() {
        database.fill(source, JdbcRecordBrowser.WALK * 2 + 10);
        var search = RecordSearch.ofPageSize(10).key("none");
        int walks = 1;
        var page = browsing.search(search);
        while (page.next().isPresent()) {
            assertThat(page.records()).isEmpty();
            page = browsing.search(search.after(page.next().get()));
            walks++;
        }
        assertThat(walks).isEqualTo(3);
    }

    @Test
    void withoutTheIndexAScopeIsListedAndTheRestIsToldWhatToDo() {
        new RawSql(source).execute("DROP INDEX refrain_record_claimed_at");
        var record = acquired(store, claimed("acme", "n", "k"));
        assertThat(all(RecordSearch.ofPageSize(3).scope("acme").from(Instant.EPOCH)))
                .hasSize(1);
        assertThat(browsing.find(new ScopedKey("acme", "n", "k"))).isPresent();
        assertThatThrownBy(() -> browsing.search(RecordSearch.ofPageSize(3)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("`refrain migrate --browsing` makes it");
        assertThatThrownBy(() -> browsing.find(record.id())).hasMessageContaining("refrain migrate --browsing");

        BrowsingIndex.create(source, "");
        BrowsingIndex.create(source, "");
        assertThat(browsing.find(record.id())).isPresent();
        assertThat(all(RecordSearch.ofPageSize(3))).hasSize(1);
    }

    @Test
    void aCursorOfSomethingElseIsRefused() {
        for (String none : List.of(
                "", "t", "x" + UUID.randomUUID(), "s" + UUID.randomUUID(), "t<script>", "t1." + "-".repeat(36))) {
            assertThatThrownBy(() -> browsing.search(RecordSearch.ofPageSize(3).after(none)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    private List<RecordView> all(RecordSearch search) {
        var found = new ArrayList<RecordView>();
        Optional<RecordPage> page = Optional.of(browsing.search(search));
        while (page.isPresent()) {
            assertThat(page.get().records()).hasSizeLessThanOrEqualTo(search.limit());
            found.addAll(page.get().records());
            page = page.get().next().map(next -> browsing.search(search.after(next)));
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

    /** Without the moment at which it was seen. */
    private static RecordView unmoved(RecordView v) {
        var t = v.times();
        return new RecordView(
                v.identity(),
                v.claim(),
                v.state(),
                v.takeOver(),
                v.recipe(),
                v.recoveryPoint(),
                v.subject(),
                new RecordView.Timestamps(t.claimed(), t.completed(), t.leaseUntil(), t.expires(), Instant.EPOCH),
                v.sizes(),
                v.attention());
    }
}
