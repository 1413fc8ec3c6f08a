package dev.refrain.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.jdbc.internal.postgresql.PostgresDialect;
import dev.refrain.store.jdbc.internal.sql.JdbcTimeouts;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Beside taking: no statement of the outbox reads more than it needs, however many messages wait or are kept. */
class OutboxQueryPlanTest extends PostgresTestBase {

    private static final int MANY = 60_000;
    private static final int LIMIT = 500;

    /** A table from end to end, or all that an index has of a topic. */
    private static final Pattern TOO_MUCH =
            Pattern.compile("Seq Scan on refrain_outbox|rows=\\d{5}|Removed by Filter: \\d{5}");

    @BeforeEach
    void fill() {
        // More than one topic, in lanes and not, so that neither a topic nor a lane says much.
        sql.execute("INSERT INTO refrain_outbox (id, topic, lane, staged_at, due_at, payload)"
                + " SELECT gen_random_uuid(), 'topic-' || i % 3, CASE WHEN i % 2 = 0 THEN i % 64 END, now(), now(), 'x'"
                + " FROM generate_series(1, " + MANY + ") i");
        past(MANY, "0", "now() + i * interval '1 second'");
        past(MANY / 100, "2", "NULL");
    }

    private void past(int rows, String cause, String keepUntil) {
        sql.execute(
                "INSERT INTO refrain_outbox_past (id, topic, staged_at, settled_at, keep_until, cause, attempts, payload)"
                        + " SELECT gen_random_uuid(), 'topic-' || i % 3, now(), now(), " + keepUntil + ", " + cause
                        + ", 1, 'x'"
                        + " FROM generate_series(1, " + rows + ") i");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "outbox_backlog",
                "outbox_reap",
                "dead_letters",
                "outbox_discard",
                "outbox_resend",
                "outbox_delivered",
                "outbox_dead",
                "outbox_delay",
                "outbox_stage"
            })
    void onlyWhatIsNeededIsReadWithOrWithoutStatistics(String name) throws SQLException {
        for (String statistics : List.of("SELECT 1", "ANALYZE refrain_outbox, refrain_outbox_past")) {
            sql.execute(statistics);
            assertThat(plan(name)).as(statistics).doesNotContainPattern(TOO_MUCH);
        }
    }

    /** With the settings that a connection of the store has, which has one plan for all values. */
    private String plan(String name) throws SQLException {
        var statement = new SqlScriptLibrary(new PostgresDialect(), "")
                .named(name)
                .statements()
                .getFirst();
        var text = statement.sql();
        var values = new ArrayList<String>();
        for (String parameter : statement.parameters()) {
            values.add(value(parameter, text));
            text = text.replaceFirst("\\?", "\\$" + values.size());
        }
        var lines = new ArrayList<String>();
        try (var connection = sql.source().getConnection();
                var plain = connection.createStatement()) {
            connection.setAutoCommit(false);
            plain.execute(new PostgresDialect().roundTripPrefix(JdbcTimeouts.DEFAULT));
            plain.execute("PREPARE asked AS " + text);
            try (var rows = plain.executeQuery(
                    "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) EXECUTE asked(" + String.join(", ", values) + ")")) {
                while (rows.next()) {
                    lines.add(rows.getString(1));
                }
            }
            plain.execute("DEALLOCATE asked");
            connection.rollback();
        }
        return String.join("\n", lines);
    }

    /** @param text in which the parameter is the next one; those of a batch are arrays */
    private static String value(String parameter, String text) {
        boolean batch = text.substring(text.indexOf('?')).matches("(?s)\\?::[a-z]+\\[\\].*");
        String value = switch (parameter) {
            case "topic" -> "topic-1";
            case "id" -> UUID.randomUUID().toString();
            case "limit" -> Integer.toString(LIMIT);
            case "payload" -> "\\x00";
            default -> "1";
        };
        return batch ? "'{" + value + "}'" : "'" + value + "'";
    }
}
