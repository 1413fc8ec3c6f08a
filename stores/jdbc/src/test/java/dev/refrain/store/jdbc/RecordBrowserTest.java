package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.acquired;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.payload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Retention;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.Fingerprint;
import dev.refrain.store.RecordBrowser;
import dev.refrain.store.RecordPage;
import dev.refrain.store.RecordSearch;
import dev.refrain.store.RecordView;
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

/** Browsing on JDBC: walks of bounded length, the index that it needs, and sizes; what every store promises is in its contract. */
@ParameterizedClass
@EnumSource(BrowsableDatabase.class)
class RecordBrowserTest {

    /** Records of more than 32 MiB. */
    private static final int LARGE = 200_000;

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
    void recordWrittenAtOnceShowsHowLargeItsOutcomeIs() {
        var wish = claimed("acme", "n", "k");
        try (var transaction = store.transactions().begin()) {
            var record = ClaimRequestFixtures.record(transaction.tryClaim(wish), true);
            transaction.complete(wish, record, payload("12345"));
            transaction.commit();
        }
        var view = browsing.find(wish.identity()).orElseThrow();
        assertThat(view.sizes().outcome()).hasValue(5);
        assertThat(view.times().leaseUntil()).isEmpty();
    }

    @Test
    void walkThatFindsNothingEndsAndSaysFromWhereToGoOn() {
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
    void smallTableIsListedByTimeWithoutTheIndex() {
        new RawSql(source).execute("DROP INDEX refrain_record_claimed_at");
        assertThat(all(RecordSearch.ofPageSize(3))).isEmpty();
        var record = acquired(store, claimed("acme", "n", "k"));

        database.fill(source, JdbcRecordBrowser.WALK * 2);

        assertThat(browsing.find(record.id())).isPresent();
        assertThat(all(RecordSearch.ofPageSize(1_000)))
                .hasSize(JdbcRecordBrowser.WALK * 2 + 1)
                .isSortedAccordingTo(
                        Comparator.comparing((RecordView view) -> view.times().claimed())
                                .reversed());
    }

    @Test
    void withoutTheIndexAScopeOfALargeTableIsListedAndTheRestIsToldWhatToDo() {
        new RawSql(source).execute("DROP INDEX refrain_record_claimed_at");
        var record = acquired(store, claimed("acme", "n", "k"));
        database.fill(source, LARGE);
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
        assertThat(browsing.search(RecordSearch.ofPageSize(3)).records()).hasSize(3);
    }

    @Test
    void cursorOfSomethingElseIsRefused() {
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
}
