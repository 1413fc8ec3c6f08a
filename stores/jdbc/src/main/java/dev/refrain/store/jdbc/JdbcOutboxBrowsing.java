package dev.refrain.store.jdbc;

import dev.refrain.store.outbox.DeadLetter;
import dev.refrain.store.outbox.DeadMessage;
import dev.refrain.store.outbox.DeadSearch;
import dev.refrain.store.outbox.OutboxBrowsing;
import dev.refrain.store.outbox.OutboxPage;
import dev.refrain.store.outbox.TopicView;
import dev.refrain.store.outbox.WaitingMessage;
import dev.refrain.store.outbox.WaitingSearch;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;

/** Looks at messages beside the traffic, on the same connection as {@link JdbcBrowsing}. */
final class JdbcOutboxBrowsing implements OutboxBrowsing {

    private record Counting(String topic, int limit) {}

    private record Behind(WaitingSearch search, long sequence) {}

    private record Following(DeadSearch search, long since, UUID id) {}

    private static final Pattern BY_SEQUENCE = Pattern.compile("m([0-9]{1,18})");
    private static final Pattern BY_DEATH =
            Pattern.compile("d([0-9]{1,17})\\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})");

    private static final Question<Integer> TOPICS = Question.script("outbox_topics");

    private static final Question<Integer> DEAD_TOPICS =
            Question.<Integer>script("outbox_dead_topics").number("limit", limit -> limit);

    private static final Question<Counting> TOPIC = Question.<Counting>script("outbox_topic")
            .text("topic", Counting::topic)
            .number("limit", Counting::limit);

    private static final Question<Behind> WAITING = Question.<Behind>script("outbox_waiting")
            .text("topic", b -> b.search().topic().orElse(null))
            .flag("failing", b -> b.search().failing())
            .number("after", Behind::sequence)
            .number("walk", b -> JdbcBrowsing.WALK)
            .number("limit", b -> b.search().limit());

    private static final Question<Following> DEAD = Question.<Following>script("outbox_dead_walk")
            .text("topic", f -> f.search().topic().orElse(null))
            .nullableNumber(
                    "cause",
                    f -> f.search().cause().map(c -> (long) Outboxing.code(c)).orElse(null))
            .number("since", Following::since)
            .uuid("id", Following::id)
            .number("walk", f -> JdbcBrowsing.WALK)
            .number("limit", f -> f.search().limit());

    private static final Question<UUID> ONE =
            Question.<UUID>script("outbox_dead_one").uuid("id", id -> id);
    private static final Question<UUID> LETTER =
            Question.<UUID>script("outbox_dead_letter").uuid("id", id -> id);

    private final Lanes lanes;

    JdbcOutboxBrowsing(Lanes lanes) {
        this.lanes = lanes;
    }

    @Override
    public List<TopicView> topics(int limit) {
        return lanes.forBrowsing().read("Looking at the topics", s -> topics(s, limit));
    }

    private static List<TopicView> topics(Session session, int limit) throws SQLException {
        Map<String, Long> dead = new TreeMap<>();
        session.run(TOPICS, limit, c -> c.text("topic")).forEach(topic -> dead.put(topic, 0L));
        session.run(DEAD_TOPICS, limit, c -> Map.entry(c.text("topic"), c.number("dead")))
                .forEach(counted -> dead.put(counted.getKey(), counted.getValue()));
        boolean moreDead = dead.values().stream().mapToLong(Long::longValue).sum() >= limit;
        var views = new ArrayList<TopicView>();
        for (var topic : dead.entrySet()) {
            views.addAll(session.run(
                    TOPIC,
                    new Counting(topic.getKey(), limit),
                    c -> new TopicView(
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
    public OutboxPage<WaitingMessage> searchWaiting(WaitingSearch search) {
        var behind = new Behind(
                search, search.after().map(JdbcOutboxBrowsing::sequence).orElse(0L));
        var steps = lanes.forBrowsing().read("Listing messages", s -> s.run(WAITING, behind, c -> step(waiting(c), c)));
        var found = Walked.toResult(steps, search.limit());
        return new OutboxPage<>(found.rows(), found.last().map(last -> "m" + last.sequence()));
    }

    @Override
    public OutboxPage<DeadMessage> searchDeadLetters(DeadSearch search) {
        var following = following(search);
        var steps = lanes.forBrowsing().read("Listing dead letters", s -> s.run(DEAD, following, c -> step(dead(c), c)));
        var found = Walked.toResult(steps, search.limit());
        return new OutboxPage<>(
                found.rows(), found.last().map(last -> "d" + Operating.micros(last.since()) + "." + last.id()));
    }

    @Override
    public Optional<DeadMessage> findDeadLetter(UUID id) {
        return lanes.forBrowsing().read("Looking at a dead letter", s -> s.run(ONE, id, c -> dead(c))).stream()
                .findFirst();
    }

    @Override
    public Optional<DeadLetter> revealDeadLetter(UUID id, String who, String why) {
        if (findDeadLetter(id).isEmpty()) {
            return Optional.empty();
        }
        Reveal.write(lanes.maintenance(), "outbox: reveal", id.toString(), who, why);
        return lanes.forBrowsing().read("Reading a dead letter", s -> s.run(LETTER, id, Outboxing::deadLetter)).stream()
                .findFirst();
    }

    private static <T> Walked<T> step(T row, Columns c) throws SQLException {
        return new Walked<>(row, c.flag("wanted"), c.flag("cut"));
    }

    private static WaitingMessage waiting(Columns c) throws SQLException {
        return new WaitingMessage(
                c.number("seq"),
                c.uuid("id"),
                c.text("topic"),
                c.textIfAny("order_key"),
                (int) c.number("attempts"),
                c.textIfAny("reason"),
                c.number("bytes"),
                new WaitingMessage.Times(
                        c.instant("staged"), c.instant("due"), c.momentIfAny("taken_until"), c.instant("seen")));
    }

    private static DeadMessage dead(Columns c) throws SQLException {
        return new DeadMessage(
                c.uuid("id"),
                c.text("topic"),
                Outboxing.cause((int) c.number("cause")),
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
            throw Cursor.invalidCursor();
        }
        return Long.parseLong(found.group(1));
    }

    private static Following following(DeadSearch search) {
        if (search.after().isEmpty()) {
            return new Following(search, 0, Cursor.LEAST);
        }
        var found = BY_DEATH.matcher(search.after().get());
        if (!found.matches()) {
            throw Cursor.invalidCursor();
        }
        return new Following(search, Long.parseLong(found.group(1)), UUID.fromString(found.group(2)));
    }
}
