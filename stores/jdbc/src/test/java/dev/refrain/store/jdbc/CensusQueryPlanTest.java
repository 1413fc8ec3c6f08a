package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.acquired;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.store.UnsettledCounts;
import dev.refrain.store.jdbc.internal.postgresql.PostgresDialect;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** To count what is not settled PostgreSQL looks at what is recent, however many records there are. */
class CensusQueryPlanTest extends PostgresTestBase {

    private static final int COMPLETED = 100_000;
    private static final int LIMIT = 1_000;

    @BeforeEach
    void fill() {
        sql.execute(
                "INSERT INTO refrain_record (lookup, id, owner, fence, lease_until, expires_at, claimed_at, completed_at,"
                        + " state, hold, fingerprint, recipe, scope, namespace, key)"
                        + " SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 1, t, t + interval '1 day', t, t, 2, false,"
                        + " sha256(i::text::bytea), 'r', 's', 'n', i::text"
                        + " FROM (SELECT i, now() - i * interval '50 ms' AS t FROM generate_series(1, " + COMPLETED
                        + ") i) many");
    }

    /** A plan that was made once has to serve for all limits and all marks. */
    @ParameterizedTest
    @ValueSource(strings = {"force_generic_plan", "force_custom_plan"})
    void leasesAreWalkedFromTheLastAndNotTheTable(String plans) throws SQLException {
        sql.execute("ANALYZE refrain_record");
        assertThat(plan(plans))
                .contains("Index Scan Backward using refrain_record_lease_until")
                .doesNotContain("Seq Scan on refrain_record")
                .containsPattern("refrain_record_lease_until.*rows=" + LIMIT + "(\\.00)? loops=1");
    }

    /** Without a mark it looks no further than the limit; with one not even so far. */
    @Test
    void censusSkipsRecordsThatTheSweepHasWalked() {
        acquired(store, claimRequest("key", LeaseExpiryPolicy.HOLD, LONG));
        var before = store.countUnsettled(LIMIT);
        assertThat(before.more()).isTrue();

        while (store.sweep(Duration.ZERO, 10_000).more()) {
            assertThat(store.countUnsettled(LIMIT).inProgress()).isEqualTo(1);
        }
        var after = store.countUnsettled(LIMIT);
        assertThat(after.inProgress()).isEqualTo(1);
        assertThat(after).extracting(UnsettledCounts::more).isEqualTo(false);
    }

    private String plan(String plans) throws SQLException {
        var scripts = new SqlScriptLibrary(new PostgresDialect(), "");
        var statement = scripts.named("census").statements().getFirst();
        var text = new ArrayList<String>();
        try (var connection = sql.source().getConnection();
                var plain = connection.createStatement()) {
            plain.execute("SET plan_cache_mode = " + plans);
            String census = statement.sql();
            for (int i = 1; i <= statement.parameters().size(); i++) {
                census = census.replaceFirst("\\?", "\\$" + i);
            }
            plain.execute(
                    "PREPARE census(" + "bigint,".repeat(statement.parameters().size() - 1) + "bigint) AS " + census);
            String arguments = (LIMIT + ",").repeat(statement.parameters().size() - 1) + LIMIT;
            try (var rows =
                    plain.executeQuery("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) EXECUTE census(" + arguments + ")")) {
                while (rows.next()) {
                    text.add(rows.getString(1));
                }
            }
        }
        return String.join("\n", text);
    }
}
