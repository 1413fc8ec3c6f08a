package dev.refrain.benchmarks;

import dev.refrain.api.Outcome;
import dev.refrain.store.OutcomeFormat;
import java.nio.charset.StandardCharsets;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Inserts records directly into the store's tables as traffic would have left them: completed, with small outcomes, ids in the order of
 * time and lookups in none, of the same tenants as the traffic.
 *
 *
 * @param oldest how long ago the first was claimed
 * @param newest how long ago the last was
 */
record RecordPreloader(Duration oldest, Duration newest) {

    private static final int STEP = 250_000;

    private static final String RECORDS = """
            WITH made AS (
                INSERT INTO refrain_record (
                    lookup, id, owner, fence, lease_until, expires_at, claimed_at, completed_at, state, parts, hold,
                    fingerprint, recipe, scope, namespace, key)
                SELECT
                    encode(substr(sha256(convert_to(scope, 'UTF8')), 1, 4) || substr(sha256(convert_to(key, 'UTF8')), 1, 12),
                        'hex')::uuid,
                    id, id, 1, at + interval '30 seconds', at + interval '24 hours', at, at, 2, 1, false,
                    sha256('preloaded'), 'preloaded', scope, ?, key
                FROM (
                    SELECT at, 'tenant-' || n % ? AS scope, gen_random_uuid()::text AS key,
                        (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(hash, 1, 3)
                            || '8' || substr(hash, 4, 15))::uuid AS id
                    FROM (
                        SELECT n, md5(n::text) AS hash,
                            now() - (? - (? * (n / ?::float8))) * interval '1 second' AS at
                        FROM generate_series(?::bigint, ?::bigint) AS n
                    ) AS moments
                ) AS calls
                RETURNING id
            )
            INSERT INTO refrain_payload (record_id, kind, bytes) SELECT id, 1, ? FROM made""";

    /** Statement that moves the sweeper's position behind old records, as in a table that grew over time. */
    private static final String SWEPT = """
            INSERT INTO refrain_meta (name, moment) VALUES ('sweep', now())
            ON CONFLICT (name) DO UPDATE SET moment = excluded.moment""";

    /** Returns a preloader of records of the last twenty hours, none of which expires during a measurement. */
    static RecordPreloader alive() {
        return new RecordPreloader(Duration.ofHours(20), Duration.ofMinutes(5));
    }

    /** Returns a preloader of expired records. */
    static RecordPreloader expired() {
        return new RecordPreloader(Duration.ofHours(48), Duration.ofHours(25));
    }

    void into(String url, int keys, CaseProgressListener meter) throws SQLException {
        byte[] outcome = OutcomeFormat.encode(Outcome.Answer.of(201, "{}".getBytes(StandardCharsets.UTF_8)))
                .bytes();
        try (var connection = DriverManager.getConnection(url);
                var insert = connection.prepareStatement(RECORDS);
                var swept = connection.createStatement()) {
            for (long first = 1; first <= keys; first += STEP) {
                meter.at(0, 1, "preloading " + (first - 1) + " of " + keys + " keys");
                insert.setString(1, SampleTraffic.OPERATION);
                insert.setInt(2, SampleTraffic.TENANTS);
                insert.setLong(3, oldest.toSeconds());
                insert.setLong(4, oldest.minus(newest).toSeconds());
                insert.setInt(5, keys);
                insert.setLong(6, first);
                insert.setLong(7, Math.min(keys, first + STEP - 1));
                insert.setBytes(8, outcome);
                insert.executeUpdate();
            }
            swept.execute(SWEPT);
        }
    }
}
