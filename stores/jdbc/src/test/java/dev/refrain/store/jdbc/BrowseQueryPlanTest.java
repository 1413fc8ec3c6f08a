package dev.refrain.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.jdbc.internal.postgresql.PostgresDialect;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import dev.refrain.store.jdbc.internal.sqlite.SqliteDialect;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** However many records there are, no question of those who browse reads more than a walk's length of them. */
class BrowseQueryPlanTest {

    private static final int RECORDS = Boolean.getBoolean("tests.long") ? 1_000_000 : 200_000;

    private static final String NO_UUID = "00000000-0000-0000-0000-000000000000";
    private static final String LAST_UUID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

    /** A table of that size, and how its database explains itself. */
    abstract static class QueryPlanTests {

        @TempDir
        static Path directory;

        DataSource source;

        abstract BrowsableDatabase database();

        abstract String explained(String script) throws SQLException;

        @BeforeAll
        void fill() {
            source = database().open(directory);
            JdbcStore.builder(source).createBrowsingIndex(true).build().close();
            database().fill(source, RECORDS);
        }

        final String lines(String sql) throws SQLException {
            var text = new ArrayList<String>();
            try (var connection = source.getConnection();
                    var statement = connection.createStatement()) {
                if (database() == BrowsableDatabase.POSTGRESQL) {
                    statement.execute("SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off");
                }
                var parts = sql.split("\0");
                for (int i = 0; i < parts.length - 1; i++) {
                    statement.execute(parts[i]);
                }
                try (var rows = statement.executeQuery(parts[parts.length - 1])) {
                    int last = rows.getMetaData().getColumnCount();
                    while (rows.next()) {
                        text.add(rows.getString(last));
                    }
                }
            }
            return String.join("\n", text);
        }
    }

    @org.junit.jupiter.api.Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class PostgresPlans extends QueryPlanTests {

        private static final Map<String, String> TYPES =
                Map.of("first", "uuid", "last", "uuid", "lookup", "uuid", "id", "uuid", "before", "uuid");
        private static final Map<String, String> BATCHED = Map.of(
                "lookup",
                "uuid[]",
                "id",
                "uuid[]",
                "fence",
                "bigint[]",
                "lease",
                "bigint[]",
                "outcome",
                "bytea[]",
                "retention",
                "bigint[]",
                "reason",
                "text[]",
                "pause",
                "bigint[]");
        private static final Map<String, String> VALUES = Map.of(
                "first",
                "'" + NO_UUID + "'",
                "last",
                "'" + LAST_UUID + "'",
                "lookup",
                "'" + NO_UUID + "'",
                "id",
                "'" + LAST_UUID + "'",
                "before",
                "'" + NO_UUID + "'",
                "since",
                "0",
                "until",
                "9999999999000000",
                "walk",
                "5000",
                "limit",
                "50",
                "key",
                "'none'");

        @Override
        BrowsableDatabase database() {
            return BrowsableDatabase.POSTGRESQL;
        }

        /** Prepared with the types that the driver gives, and a plan for all values. */
        @Override
        String explained(String name) throws SQLException {
            var statement = new SqlScriptLibrary(new PostgresDialect(), "")
                    .named(name)
                    .statements()
                    .getFirst();
            String sql = statement.sql();
            for (int i = 1; i <= statement.parameters().size(); i++) {
                sql = sql.replaceFirst("\\?", "\\$" + i);
            }
            boolean batch = sql.contains("unnest");
            String types = statement.parameters().stream()
                    .map(p -> batch
                            ? BATCHED.get(p)
                            : TYPES.getOrDefault(
                                    p, p.matches("from|to|state|walk|limit|one_more|since|until") ? "bigint" : "text"))
                    .collect(Collectors.joining(","));
            String values = statement.parameters().stream()
                    .map(p -> batch ? "NULL" : VALUES.getOrDefault(p.replace("one_more", "limit"), "NULL"))
                    .collect(Collectors.joining(","));
            return lines("PREPARE q(" + types + ") AS " + sql + "\0EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) EXECUTE q("
                    + values + ")");
        }

        @Test
        void walkReadsNoMoreThanItsLengthOfTheIndex() throws SQLException {
            for (var walk : Map.of("walk_time", "refrain_record_claimed_at", "walk_scope", "refrain_record_pk")
                    .entrySet()) {
                assertThat(explained(walk.getKey()))
                        .containsPattern("Index Scan (Backward )?using " + walk.getValue()
                                + " on refrain_record r.*rows=5000(\\.00)? loops=1")
                        .doesNotContain("Seq Scan on refrain_record")
                        .doesNotContain("Bitmap");
            }
        }

        @Test
        void oneRecordIsAPoint() throws SQLException {
            assertThat(explained("view_one")).contains("Index Scan using refrain_record_pk");
            assertThat(explained("view_id"))
                    .contains("Index Scan using refrain_record_claimed_at")
                    .containsPattern("Index Cond: \\(\\(claimed_at >= .*id = ");
        }

        /** Those that name (lookup, id) are the hot ones: an index that began with the id would be taken instead of the key. */
        @Test
        void hotStatementsStillFindTheirRecordsByThePrimaryKey() throws SQLException {
            for (String hot : List.of("complete", "release", "renew")) {
                assertThat(explained(hot))
                        .contains("using refrain_record_pk")
                        .doesNotContain("refrain_record_claimed_at");
            }
        }

        @Test
        void trailIsWalkedFromItsEnd() throws SQLException {
            assertThat(explained("audit_of")).contains("Index Scan Backward using refrain_audit_pk");
        }
    }

    @org.junit.jupiter.api.Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class SqlitePlans extends QueryPlanTests {

        @Override
        BrowsableDatabase database() {
            return BrowsableDatabase.SQLITE;
        }

        @Override
        String explained(String name) throws SQLException {
            return lines("EXPLAIN QUERY PLAN "
                    + new SqlScriptLibrary(new SqliteDialect(), "")
                            .named(name)
                            .statements()
                            .getFirst()
                            .sql());
        }

        @Test
        void walkFollowsItsIndexWithinItsBounds() throws SQLException {
            assertThat(explained("walk_time"))
                    .contains("SEARCH r USING INDEX refrain_record_claimed_at (claimed_at>? AND")
                    .doesNotContain("SCAN r")
                    .doesNotContain("SCAN refrain_record");
            assertThat(explained("walk_scope"))
                    .contains("SEARCH r USING PRIMARY KEY (lookup>? AND lookup<?)")
                    .doesNotContain("SCAN r")
                    .doesNotContain("SCAN refrain_record");
        }

        @Test
        void oneRecordIsAPoint() throws SQLException {
            assertThat(explained("view_one")).contains("SEARCH r USING PRIMARY KEY (lookup=?)");
            assertThat(explained("view_id"))
                    .contains("SEARCH r USING INDEX refrain_record_claimed_at (claimed_at>? AND claimed_at<?)");
        }
    }
}
