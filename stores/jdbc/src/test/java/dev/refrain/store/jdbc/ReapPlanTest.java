package dev.refrain.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Plans of workers that were made, and are kept, while there was nothing to do. */
class ReapPlanTest {

    private static final List<String> TABLES =
            List.of("refrain_record", "refrain_payload", "refrain_attempt", "refrain_attention");
    private static final int ROWS = 30_000;
    private static final int EXPIRED = 500;

    /** One connection for the workers, so that they meet the plan that they made. */
    private static HikariDataSource pool(String url) {
        var config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(5);
        config.setMinimumIdle(5);
        return new HikariDataSource(config);
    }

    private static void fill(RawSql sql, int count, int expired) {
        sql.execute(
                "INSERT INTO refrain_record (lookup, id, owner, fence, lease_until, expires_at, claimed_at, completed_at, state, parts, hold,"
                        + " fingerprint, recipe, scope, namespace, key)"
                        + " SELECT gen_random_uuid(), md5(i::text)::uuid, gen_random_uuid(), 1, now() - interval '1 minute',"
                        + " CASE WHEN i <= " + expired
                        + " THEN now() - interval '1 hour' ELSE now() + interval '1 day' END,"
                        + " now() - interval '1 day', now(), 2, 25, false, sha256(i::text::bytea), 'r', 's', 'n', i::text FROM generate_series(1, "
                        + count + ") i");
        sql.execute("INSERT INTO refrain_payload (record_id, kind, bytes) SELECT id, 1, 'paid' FROM refrain_record");
        sql.execute("INSERT INTO refrain_attempt (record_id, fence) SELECT id, 1 FROM refrain_record");
        sql.execute("INSERT INTO refrain_attention (lookup, record_id, fence, since, reason)"
                + " SELECT lookup, id, 1, now(), 'left behind' FROM refrain_record");
    }

    @Test
    void reaperReadsAsLittleAfterIdleRoundsAsBefore() {
        String url = TestDatabases.emptiedPostgres();
        var sql = new RawSql(TestDatabases.postgres(url));
        try (var pool = pool(url);
                var store = JdbcStore.builder(pool)
                        .statementTimeout(Duration.ofMinutes(2))
                        .build()) {
            for (String table : TABLES) {
                sql.execute("ALTER TABLE " + table + " SET (autovacuum_enabled = false)");
                sql.execute("VACUUM ANALYZE " + table);
            }
            for (int round = 0; round < 12; round++) {
                assertThat(store.reap(10_000)).isZero();
                store.sweep(Duration.ZERO, 10_000);
            }
            fill(sql, ROWS, EXPIRED);
            assertThat(store.reap(10_000)).isEqualTo(EXPIRED);
        }
        // What a connection has read is known some time after it closed.
        await().until(() ->
                sql.number("SELECT n_tup_del FROM pg_stat_user_tables WHERE relname = 'refrain_record'") == EXPIRED);
        for (String table : TABLES) {
            assertThat(sql.number("SELECT seq_tup_read FROM pg_stat_user_tables WHERE relname = '" + table + "'"))
                    .as("%s: the plan of an empty table would read all of it for each expired record", table)
                    .isLessThan((long) ROWS * EXPIRED / 10);
            assertThat(sql.number("SELECT count(*) FROM " + table)).as(table).isEqualTo(ROWS - EXPIRED);
        }
    }
}
