package dev.refrain.store.jdbc.internal.browse;

import dev.refrain.store.jdbc.internal.connection.DedicatedConnections;
import dev.refrain.store.jdbc.internal.outbox.OutboxStatements;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.SqlResultRow;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import dev.refrain.store.outbox.DeadLetter;
import dev.refrain.store.outbox.DeadLetterSearch;
import dev.refrain.store.outbox.DeadLetterView;
import dev.refrain.store.outbox.OutboxBrowser;
import dev.refrain.store.outbox.OutboxPage;
import dev.refrain.store.outbox.TopicSummary;
import dev.refrain.store.outbox.WaitingMessage;
import dev.refrain.store.outbox.WaitingMessageSearch;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;

/** Reads messages without delaying traffic, on the same connection as {@link JdbcRecordBrowser}. */
public final class JdbcOutboxBrowser implements OutboxBrowser {

    private record TopicCountParameters(String topic, int limit) {}

    private record WaitingPageStart(WaitingMessageSearch search, long sequence) {}

    private record DeadPageStart(DeadLetterSearch search, long since, UUID id) {}

    private static final Pattern BY_SEQUENCE = Pattern.compile("m([0-9]{1,18})");
    private static final Pattern BY_DEATH =
            Pattern.compile("d([0-9]{1,17})\\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})");

    private static final ParameterizedScript<Integer> TOPICS = ParameterizedScript.script("outbox_topics");

    private static final ParameterizedScript<Integer> DEAD_TOPICS =
            ParameterizedScript.<Integer>script("dead_letter_topics").number("limit", limit -> limit);

    private static final ParameterizedScript<TopicCountParameters> TOPIC =
            ParameterizedScript.<TopicCountParameters>script("outbox_topic")
                    .note("topic", TopicCountParameters::topic)
                    .number("limit", TopicCountParameters::limit);

    private static final ParameterizedScript<WaitingPageStart> WAITING = ParameterizedScript.<WaitingPageStart>script(
                    "outbox_waiting")
            .note("topic", b -> b.search().topic().orElse(null))
            .flag("failing", b -> b.search().failing())
            .number("after", WaitingPageStart::sequence)
            .number("walk", b -> JdbcRecordBrowser.WALK)
            .number("one_more", b -> b.search().limit() + 1L);

    private static final ParameterizedScript<DeadPageStart> DEAD = ParameterizedScript.<DeadPageStart>script(
                    "dead_letter_walk")
            .note("topic", f -> f.search().topic().orElse(null))
            .nullableNumber(
                    "cause",
                    f -> f.search()
                            .cause()
                            .map(c -> (long) OutboxStatements.code(c))
                            .orElse(null))
            .number("since", DeadPageStart::since)
            .uuid("id", DeadPageStart::id)
            .number("walk", f -> JdbcRecordBrowser.WALK)
            .number("one_more", f -> f.search().limit() + 1L);

    private static final ParameterizedScript<UUID> ONE =
            ParameterizedScript.<UUID>script("dead_letter_head").uuid("id", id -> id);
    private static final ParameterizedScript<UUID> LETTER =
            ParameterizedScript.<UUID>script("dead_letter_payload").uuid("id", id -> id);

    private final DedicatedConnections connections;

    public JdbcOutboxBrowser(DedicatedConnections connections) {
        this.connections = connections;
    }

    @Override
    public List<TopicSummary> topics(int limit) {
        return connections.forBrowsing().read("Looking at the topics", s -> topics(s, limit));
    }

    private static List<TopicSummary> topics(SqlSession session, int limit) throws SQLException {
        Map<String, Long> dead = new TreeMap<>();
        session.run(TOPICS, limit, c -> c.text("topic")).forEach(topic -> dead.put(topic, 0L));
        session.run(DEAD_TOPICS, limit, c -> Map.entry(c.text("topic"), c.number("dead")))
                .forEach(counted -> dead.put(counted.getKey(), counted.getValue()));
        boolean moreDead = dead.values().stream().mapToLong(Long::longValue).sum() >= limit;
        var views = new ArrayList<TopicSummary>();
        for (var topic : dead.entrySet()) {
            views.addAll(session.run(
                    TOPIC,
                    new TopicCountParameters(topic.getKey(), limit),
                    c -> new TopicSummary(
                            topic.getKey(),
                            c.number("waiting"),
                            c.number("under_way"),
                            c.number("failing"),
                            topic.getValue(),
                            c.optionalDuration("oldest"),
                            moreDead || c.flag("more"))));
        }
        return views;
    }

    @Override
    public OutboxPage<WaitingMessage> searchWaiting(WaitingMessageSearch search) {
        var behind = new WaitingPageStart(
                search, search.after().map(JdbcOutboxBrowser::sequence).orElse(0L));
        var steps = connections
                .forBrowsing()
                .read("Listing messages", s -> s.run(WAITING, behind, c -> step(waiting(c), c)));
        var found = ScannedRow.toResult(steps, search.limit());
        return new OutboxPage<>(found.rows(), found.last().map(last -> "m" + last.sequence()));
    }

    @Override
    public OutboxPage<DeadLetterView> searchDeadLetters(DeadLetterSearch search) {
        var following = following(search);
        var steps = connections
                .forBrowsing()
                .read("Listing dead letters", s -> s.run(DEAD, following, c -> step(dead(c), c)));
        var found = ScannedRow.toResult(steps, search.limit());
        return new OutboxPage<>(
                found.rows(),
                found.last().map(last -> "d" + ParameterizedScript.micros(last.since()) + "." + last.id()));
    }

    @Override
    public Optional<DeadLetterView> findDeadLetter(UUID id) {
        return connections.forBrowsing().read("Looking at a dead letter", s -> s.run(ONE, id, c -> dead(c))).stream()
                .findFirst();
    }

    @Override
    public Optional<DeadLetter> revealDeadLetter(UUID id, String who, String why) {
        if (findDeadLetter(id).isEmpty()) {
            return Optional.empty();
        }
        RevealAuditEntry.write(connections.maintenance(), "outbox: reveal", id.toString(), who, why);
        return connections
                .forBrowsing()
                .read("Reading a dead letter", s -> s.run(LETTER, id, OutboxStatements::deadLetter))
                .stream()
                .findFirst();
    }

    private static <T> ScannedRow<T> step(T row, SqlResultRow c) throws SQLException {
        return new ScannedRow<>(row, c.flag("wanted"), c.flag("cut"));
    }

    private static WaitingMessage waiting(SqlResultRow c) throws SQLException {
        return new WaitingMessage(
                c.number("seq"),
                c.uuid("id"),
                c.text("topic"),
                c.textIfAny("order_key"),
                (int) c.number("attempts"),
                c.textIfAny("reason"),
                c.number("bytes"),
                new WaitingMessage.MessageTimestamps(
                        c.instant("staged"), c.instant("due"), c.momentIfAny("taken_until"), c.instant("seen")));
    }

    private static DeadLetterView dead(SqlResultRow c) throws SQLException {
        return new DeadLetterView(
                c.uuid("id"),
                c.text("topic"),
                OutboxStatements.cause((int) c.number("cause")),
                c.text("reason"),
                (int) c.number("attempts"),
                c.number("bytes"),
                c.instant("staged"),
                c.instant("since"),
                c.instant("seen"));
    }

    private static long sequence(String cursor) {
        var found = BY_SEQUENCE.matcher(cursor);
        if (!found.matches()) {
            throw RecordPageCursor.invalidCursor();
        }
        return Long.parseLong(found.group(1));
    }

    private static DeadPageStart following(DeadLetterSearch search) {
        if (search.after().isEmpty()) {
            return new DeadPageStart(search, 0, RecordPageCursor.LEAST);
        }
        var found = BY_DEATH.matcher(search.after().get());
        if (!found.matches()) {
            throw RecordPageCursor.invalidCursor();
        }
        return new DeadPageStart(search, Long.parseLong(found.group(1)), UUID.fromString(found.group(2)));
    }
}
