package dev.refrain.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.jdbc.internal.postgresql.PostgresDialect;
import dev.refrain.store.jdbc.internal.sql.JdbcTimeouts;
import dev.refrain.store.jdbc.internal.sql.SqlScript;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import dev.refrain.store.outbox.MessageLeaseRequest;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** To take messages PostgreSQL looks at those it gives, however many there are. */
class OutboxTakeQueryPlanTest {

    private static final int BACKLOG = Boolean.getBoolean("tests.long") ? 1_000_000 : 200_000;
    private static final int ROWS = 500;

    private RawSql sql;
    private JdbcStore store;

    @BeforeEach
    void open() {
        var source = TestDatabases.postgres(TestDatabases.emptiedPostgres());
        sql = new RawSql(source);
        store = JdbcStore.on(source);
        fill("free", "NULL");
        fill("ordered", "7");
    }

    private void fill(String topic, String lane) {
        sql.execute("INSERT INTO refrain_outbox (id, topic, lane, staged_at, due_at, payload)"
                + " SELECT gen_random_uuid(), '" + topic + "', " + lane + ", now(), now() - interval '1 minute', 'x'"
                + " FROM generate_series(1, " + BACKLOG + ")");
    }

    @AfterEach
    void close() {
        store.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"free", "ordered"})
    void onlyWhatIsTakenIsReadWithOrWithoutStatistics(String topic) throws SQLException {
        for (String statistics : List.of("SELECT 1", "ANALYZE refrain_outbox")) {
            sql.execute(statistics);
            assertThat(plan(topic))
                    .contains(topic.equals("free") ? "refrain_outbox_due" : "refrain_outbox_lane")
                    .doesNotContain("Seq Scan on refrain_outbox ")
                    .doesNotContain("rows=" + BACKLOG)
                    .doesNotContain("Removed by Filter: " + BACKLOG);
        }
    }

    /** The worst of all backlogs: everything waits behind one. */
    @Test
    void laneWhoseFrontWaitsCostsOneLook() throws SQLException {
        sql.execute("UPDATE refrain_outbox SET due_at = now() + interval '1 hour'"
                + " WHERE seq = (SELECT min(seq) FROM refrain_outbox WHERE topic = 'ordered')");
        sql.execute("ANALYZE refrain_outbox");
        assertThat(store.outbox()
                        .leaseMessages(new MessageLeaseRequest("ordered", Duration.ofSeconds(30), ROWS, ROWS, 1 << 20)))
                .isEmpty();
        assertThat(plan("ordered"))
                .doesNotContain("Seq Scan on refrain_outbox ")
                .doesNotContain("rows=" + BACKLOG);
    }

    /** Those who look cost a walk's length, not the backlog. */
    @Test
    void readingTheBacklogCostsNoMoreThanAWalk() throws SQLException {
        sql.execute("INSERT INTO refrain_outbox_past (id, topic, staged_at, settled_at, cause, attempts, payload)"
                + " SELECT gen_random_uuid(), 'free', now(), now(), 1, 1, 'x' FROM generate_series(1, " + BACKLOG
                + ")");
        for (String statistics : List.of("SELECT 1", "ANALYZE refrain_outbox, refrain_outbox_past")) {
            sql.execute(statistics);
            for (String script : List.of(
                    "outbox_topics", "outbox_topic", "outbox_waiting", "dead_letter_topics", "dead_letter_walk")) {
                assertThat(plan(script, "ordered"))
                        .as(script + " after " + statistics)
                        .doesNotContain("Seq Scan on refrain_outbox")
                        .doesNotContain("rows=" + BACKLOG)
                        .doesNotContain("rows=" + 2 * BACKLOG)
                        .doesNotContain("Removed by Filter: " + BACKLOG);
            }
        }
    }

    private String plan(String topic) throws SQLException {
        return plan("outbox_lease", topic);
    }

    /** With the settings that a connection of the store has. */
    private String plan(String script, String topic) throws SQLException {
        var statements =
                new SqlScriptLibrary(new PostgresDialect(), "").named(script).statements();
        var lines = new ArrayList<String>();
        try (var connection = sql.source().getConnection();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(new PostgresDialect().roundTripPrefix(JdbcTimeouts.DEFAULT));
            for (var before : statements.subList(0, statements.size() - 1)) {
                statement.execute(filled(before, topic, ROWS));
            }
            try (var rows = statement.executeQuery(
                    "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) " + filled(statements.getLast(), topic, ROWS))) {
                while (rows.next()) {
                    lines.add(rows.getString(1));
                }
            }
            connection.rollback();
        }
        return String.join("\n", lines);
    }

    /** As it is sent, with its values. */
    static String filled(SqlScript.SqlStatement statement, String topic, int most) {
        String text = statement.sql();
        for (String name : statement.parameters()) {
            text = text.replaceFirst(
                    "\\?",
                    switch (name) {
                        case "topic" -> "'" + topic + "'";
                        case "bytes", "lease" -> "1000000";
                        case "after", "since" -> "0";
                        case "id" -> "'00000000-0000-0000-0000-000000000000'::uuid";
                        case "failing" -> "false";
                        case "cause" -> "NULL";
                        default -> Integer.toString(most);
                    });
        }
        return text;
    }
}
