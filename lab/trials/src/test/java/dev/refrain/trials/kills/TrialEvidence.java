package dev.refrain.trials.kills;

import dev.refrain.api.RecordId;
import dev.refrain.store.RecordState;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Evidence of a trial: the answers to each process, the rows of the database, and the provider's ledger.
 *
 *
 * @param answers by key, each with the process that got it
 * @param closed the processes that were closed in peace
 */
record TrialEvidence(
        Map<String, List<Witnessed>> answers,
        Set<String> closed,
        Map<String, Row> records,
        List<Written> payments,
        List<Written> postings,
        List<ProviderLedger.Effect> effects,
        Map<String, Long> integrity,
        KillTimeline timeline) {

    record Witnessed(String process, JournalEntry entry) {}

    record Row(String key, String operation, RecordId id, long fence, RecordState state) {}

    record Written(String key, String effect) {}

    private static final RecordState[] STATES = {
        RecordState.IN_PROGRESS, RecordState.COMPLETED, RecordState.RELEASED, RecordState.ATTENTION
    };

    /** Placeholder for the outcome column in the record, which only PostgreSQL has. */
    private static final String IN_THE_RECORD = "{in the record}";

    /** Queries that count what must not exist. */
    private static final Map<String, String> MUST_BE_ZERO = Map.of(
            "payloads without a record",
            "SELECT count(*) FROM refrain_payload p WHERE NOT EXISTS (SELECT 1 FROM refrain_record r WHERE r.id = p.record_id)",
            "completed records whose outcome is missing",
            "SELECT count(*) FROM refrain_record r WHERE r.state = 2 AND NOT (" + IN_THE_RECORD + ") AND NOT EXISTS"
                    + " (SELECT 1 FROM refrain_payload p WHERE p.record_id = r.id AND p.kind = 1)",
            "outcomes of records that are not completed",
            "SELECT count(*) FROM refrain_record r JOIN refrain_payload p ON p.record_id = r.id WHERE r.state <> 2 AND p.kind = 1",
            "records in attention that are not listed",
            "SELECT count(*) FROM refrain_record r WHERE r.state = 4 AND NOT EXISTS"
                    + " (SELECT 1 FROM refrain_attention a WHERE a.lookup = r.lookup AND a.record_id = r.id AND a.fence = r.fence)",
            // A late runner that meets the sweeper may leave its entry behind; nobody is shown it, and it goes with the
            // record.
            "listed records that are neither in attention nor were completed out of it",
            "SELECT count(*) FROM refrain_attention a WHERE NOT EXISTS"
                    + " (SELECT 1 FROM refrain_record r WHERE r.lookup = a.lookup AND r.id = a.record_id"
                    + " AND (r.state = 4 OR r.state = 2 AND r.parts & 8 <> 0))",
            "payments without a posting, or the other way round",
            "SELECT (SELECT count(*) FROM payments p WHERE NOT EXISTS (SELECT 1 FROM postings q WHERE q.effect = p.effect))"
                    + " + (SELECT count(*) FROM postings q WHERE NOT EXISTS (SELECT 1 FROM payments p WHERE q.effect = p.effect))",
            "payments whose key is not completed",
            "SELECT count(*) FROM payments p WHERE NOT EXISTS"
                    + " (SELECT 1 FROM refrain_record r WHERE r.key = p.client_key AND r.state = 2)",
            "completed transactional keys without a payment",
            "SELECT count(*) FROM refrain_record r WHERE r.namespace = '" + TrialMode.TRANSACTIONAL.operation()
                    + "' AND r.state = 2 AND NOT EXISTS (SELECT 1 FROM payments p WHERE p.client_key = r.key)",
            "transactional keys that are not completed",
            "SELECT count(*) FROM refrain_record r WHERE r.namespace = '" + TrialMode.TRANSACTIONAL.operation()
                    + "' AND r.state <> 2");

    static TrialEvidence gather(TrialSetup setup, List<Path> journals, KillTimeline timeline) throws SQLException {
        var answers = new HashMap<String, List<Witnessed>>();
        var closed = new HashSet<String>();
        for (var journal : journals) {
            String process = journal.getFileName().toString().replace(".journal", "");
            for (var entry : AnswerJournal.read(journal)) {
                if (entry.key().equals(ShopProcessMain.CLOSED)) {
                    closed.add(process);
                    continue;
                }
                answers.computeIfAbsent(entry.key(), k -> new ArrayList<>()).add(new Witnessed(process, entry));
            }
        }
        try (var connection = setup.place().connect()) {
            // One snapshot for all: a statement of a killed process may still be running at the server.
            connection.setTransactionIsolation(
                    setup.place().isSqlite()
                            ? Connection.TRANSACTION_SERIALIZABLE
                            : Connection.TRANSACTION_REPEATABLE_READ);
            connection.setAutoCommit(false);
            return new TrialEvidence(
                    answers,
                    closed,
                    records(connection),
                    written(connection, "payments"),
                    written(connection, "postings"),
                    setup.provider().ledger().read(),
                    integrity(connection),
                    timeline);
        }
    }

    private static Map<String, Row> records(Connection connection) throws SQLException {
        return query(
                        connection,
                        "SELECT r.key, r.namespace, r.id, r.fence, r.state FROM refrain_record r",
                        row -> new Row(
                                row.getString(1),
                                row.getString(2),
                                new RecordId(uuid(row.getObject(3))),
                                row.getLong(4),
                                STATES[row.getInt(5) - 1]))
                .stream()
                .collect(Collectors.toMap(Row::key, row -> row));
    }

    private static List<Written> written(Connection connection, String table) throws SQLException {
        return query(
                connection,
                "SELECT client_key, effect FROM " + table,
                row -> new Written(row.getString(1), row.getString(2)));
    }

    private static Map<String, Long> integrity(Connection connection) throws SQLException {
        var counts = new HashMap<String, Long>();
        boolean postgres = connection.getMetaData().getDatabaseProductName().equals("PostgreSQL");
        for (var check : MUST_BE_ZERO.entrySet()) {
            var sql = check.getValue().replace(IN_THE_RECORD, postgres ? "r.outcome IS NOT NULL" : "1 = 0");
            counts.put(
                    check.getKey(),
                    query(connection, sql, row -> row.getLong(1)).getFirst());
        }
        return counts;
    }

    private interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    private static <T> List<T> query(Connection connection, String sql, Reader<T> reader) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            var all = new ArrayList<T>();
            while (rows.next()) {
                all.add(reader.read(rows));
            }
            return all;
        }
    }

    private static UUID uuid(Object column) {
        if (column instanceof UUID uuid) {
            return uuid;
        }
        var bytes = ByteBuffer.wrap((byte[]) column);
        return new UUID(bytes.getLong(), bytes.getLong());
    }

    /** Returns every key that was seen. */
    Set<String> keys() {
        var keys = new TreeSet<>(answers.keySet());
        keys.addAll(records.keySet());
        effects.forEach(e -> keys.add(e.key()));
        return keys;
    }

    List<Witnessed> of(String key) {
        return answers.getOrDefault(key, List.of());
    }

    List<ProviderLedger.Effect> effectsOf(String key) {
        return effects.stream().filter(e -> e.key().equals(key)).toList();
    }

    /** Returns the evidence of one key, for people. */
    String about(String key) {
        var text = new StringBuilder("  in the store: ").append(records.get(key));
        payments.stream()
                .filter(p -> p.key().equals(key))
                .forEach(p -> text.append("\n  payment: ").append(p.effect()));
        postings.stream()
                .filter(p -> p.key().equals(key))
                .forEach(p -> text.append("\n  posting: ").append(p.effect()));
        effectsOf(key).forEach(e -> text.append("\n  provider: ").append(e));
        of(key).stream()
                .sorted((a, b) -> Long.compare(a.entry().at(), b.entry().at()))
                .forEach(w -> text.append("\n  %6d ms  %-8s %s %s"
                        .formatted(
                                w.entry().at() - timeline.begun(),
                                w.process(),
                                w.entry().kind(),
                                w.entry().detail())));
        return text.toString();
    }
}
