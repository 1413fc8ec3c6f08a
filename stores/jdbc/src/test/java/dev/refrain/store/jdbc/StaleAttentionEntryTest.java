package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.acquired;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.complete;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.RecordWrite;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A runner that completes at the very moment its record is listed cannot see the entry, and leaves it behind. Such an entry
 * is shown to nobody, stands in nobody's way, and goes with its record.
 */
class StaleAttentionEntryTest extends PostgresTestBase {

    @Test
    void entryLeftBehindDoesNotKeepTheSweeperFromListingTheKeyAgain() {
        var claim = acquired(store, claimRequest("key", LeaseExpiryPolicy.HOLD, GONE))
                .claim();
        leaveEntryBehind();

        assertThat(store.sweep(Duration.ZERO, 10).toAttention()).isEqualTo(1);
        assertThat(listed()).extracting(AttentionItem::claim).containsExactly(claim);
    }

    @Test
    void entryLeftBehindDoesNotKeepARetryFromListingTheKeyAgain() {
        var claim = acquired(store, claimRequest("key", LeaseExpiryPolicy.HOLD, GONE))
                .claim();
        leaveEntryBehind();

        store.claim(List.of(claimRequest("key", LeaseExpiryPolicy.HOLD, LONG)));
        assertThat(listed()).extracting(AttentionItem::claim).containsExactly(claim);
    }

    @Test
    void entryLeftBehindDoesNotKeepTheRunnerFromListingTheKeyAgain() {
        var claim = acquired(store, claimRequest("key", LeaseExpiryPolicy.HOLD, LONG))
                .claim();
        leaveEntryBehind();

        store.write(List.of(new RecordWrite.Escalate(claim, "nobody knows")));
        assertThat(listed()).extracting(AttentionItem::reason).containsExactly("nobody knows");
    }

    @Test
    void entryLeftBehindIsShownToNobodyAndGoesWithItsRecord() {
        var claim = acquired(store, claimRequest("key", LeaseExpiryPolicy.HOLD, LONG))
                .claim();
        store.write(List.of(new RecordWrite.Escalate(claim, "nobody knows")));
        store.write(List.of(complete(claim, "done")));
        sql.execute("INSERT INTO refrain_attention SELECT lookup, id, fence, now(), 'left behind' FROM refrain_record");

        assertThat(listed()).isEmpty();
        sql.execute("UPDATE refrain_record SET expires_at = now() - interval '1 second'");
        assertThat(store.reap(10)).isEqualTo(1);
        assertThat(sql.text("SELECT count(*) FROM refrain_attention")).isEqualTo("0");
    }

    /** Of an earlier record of the same key. */
    private void leaveEntryBehind() {
        sql.execute("INSERT INTO refrain_attention"
                + " SELECT lookup, gen_random_uuid(), 7, now(), 'left behind' FROM refrain_record");
    }

    private List<AttentionItem> listed() {
        return store.listAttention(null, 10);
    }
}
