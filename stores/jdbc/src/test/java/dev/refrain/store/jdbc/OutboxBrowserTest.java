package dev.refrain.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.Payload;
import dev.refrain.store.jdbc.internal.browse.JdbcRecordBrowser;
import dev.refrain.store.outbox.DeadLetterSearch;
import dev.refrain.store.outbox.DeadLetterView;
import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageLeaseRequest;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.MessageSettlement.Cause;
import dev.refrain.store.outbox.OutboxBrowser;
import dev.refrain.store.outbox.OutboxStore;
import dev.refrain.store.outbox.StagedMessage;
import dev.refrain.store.outbox.TopicSummary;
import dev.refrain.store.outbox.WaitingMessage;
import dev.refrain.store.outbox.WaitingMessageSearch;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** People see what waits and what is dead, topic by topic and page by page. */
@ParameterizedClass
@EnumSource(BrowsableDatabase.class)
class OutboxBrowserTest {

    @Parameter
    BrowsableDatabase database;

    @TempDir
    Path directory;

    private DataSource source;
    private JdbcStore store;
    private OutboxStore<Connection> outbox;
    private OutboxBrowser browsing;

    @BeforeEach
    void open() {
        source = database.open(directory);
        store = JdbcStore.on(source);
        outbox = store.outbox();
        browsing = store.outboxBrowser();
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void everyTopicIsCountedWhereverItsMessagesAre() {
        assertThat(browsing.topics(100)).isEmpty();
        stage("free", Optional.empty(), 3);
        stage("ordered", Optional.of("k"), 2);
        stage("both", Optional.empty(), 1);
        stage("both", Optional.of("k"), 1);
        stage("gone", Optional.empty(), 1);
        settle("gone", t -> new MessageSettlement.Dead(t.row(), Cause.REFUSED, 0, "410"));
        settle("ordered", t -> new MessageSettlement.Failed(t.row(), Duration.ofMinutes(1), "reset"));
        outbox.leaseMessages(order("free", 2));

        var topics = browsing.topics(100);
        assertThat(topics)
                .extracting(
                        TopicSummary::topic,
                        TopicSummary::waiting,
                        TopicSummary::underWay,
                        TopicSummary::failing,
                        TopicSummary::dead)
                .containsExactly(
                        tuple("both", 2, 0, 0, 0),
                        tuple("free", 3, 2, 0, 0),
                        tuple("gone", 0, 0, 0, 1),
                        tuple("ordered", 2, 0, 2, 0));
        assertThat(topics).noneMatch(TopicSummary::more);
        assertThat(topics.getFirst().oldest().orElseThrow()).isLessThan(Duration.ofMinutes(5));
        assertThat(topics.get(2).oldest()).isEmpty();
        assertThat(browsing.topics(3)).filteredOn(TopicSummary::more).hasSize(1);
    }

    private static org.assertj.core.groups.Tuple tuple(
            String topic, long waiting, long underWay, long failing, long dead) {
        return org.assertj.core.groups.Tuple.tuple(topic, waiting, underWay, failing, dead);
    }

    @Test
    void waitingMessagesAreListedInTheOrderOfStaging() {
        stage("a", Optional.empty(), 2);
        stage("b", Optional.of("k"), 3);
        settle("b", t -> new MessageSettlement.Failed(t.row(), Duration.ofMinutes(1), "reset"));
        stage("b", Optional.of("other"), 1);

        var first = browsing.searchWaiting(new WaitingMessageSearch(Optional.empty(), false, Optional.empty(), 4));
        assertThat(first.rows()).extracting(WaitingMessage::topic).containsExactly("a", "a", "b", "b");
        var rest = browsing.searchWaiting(new WaitingMessageSearch(Optional.empty(), false, first.next(), 4));
        assertThat(rest.rows()).extracting(WaitingMessage::topic).containsExactly("b", "b");
        assertThat(rest.next()).isEmpty();

        var failing = browsing.searchWaiting(new WaitingMessageSearch(Optional.of("b"), true, Optional.empty(), 10));
        assertThat(failing.rows()).hasSize(3).allSatisfy(message -> {
            assertThat(message.reason()).contains("reset");
            assertThat(message.orderKey()).contains("k");
            assertThat(message.attempts()).isEqualTo(1);
            assertThat(message.bytes()).isEqualTo(2);
            assertThat(message.underWay()).isFalse();
            assertThat(message.times().due()).isAfter(message.times().seen());
        });
        outbox.leaseMessages(order("a", 10));
        assertThat(browsing.searchWaiting(new WaitingMessageSearch(Optional.of("a"), false, Optional.empty(), 10))
                        .rows())
                .allMatch(WaitingMessage::underWay);
    }

    @Test
    void deadLettersAreFoundAndPagedAndShownForAReason() {
        stage("a", Optional.empty(), 3);
        settle("a", t -> new MessageSettlement.Dead(t.row(), Cause.EXHAUSTED, 0, "reset"));
        stage("b", Optional.empty(), 1);
        settle("b", t -> new MessageSettlement.Dead(t.row(), Cause.UNKNOWN, 1, "no answer"));

        var first = browsing.searchDeadLetters(
                new DeadLetterSearch(Optional.empty(), Optional.empty(), Optional.empty(), 3));
        assertThat(first.rows()).extracting(DeadLetterView::topic).containsExactly("a", "a", "a");
        var rest =
                browsing.searchDeadLetters(new DeadLetterSearch(Optional.empty(), Optional.empty(), first.next(), 3));
        assertThat(rest.rows()).extracting(DeadLetterView::topic).containsExactly("b");
        assertThat(rest.next()).isEmpty();
        assertThat(browsing.searchDeadLetters(
                                new DeadLetterSearch(Optional.of("a"), Optional.of(Cause.UNKNOWN), Optional.empty(), 3))
                        .rows())
                .isEmpty();

        var one = browsing.searchDeadLetters(
                        new DeadLetterSearch(Optional.of("b"), Optional.of(Cause.UNKNOWN), Optional.empty(), 3))
                .rows()
                .getFirst();
        assertThat(browsing.findDeadLetter(one.id())).hasValueSatisfying(found -> {
            assertThat(found.reason()).isEqualTo("no answer");
            assertThat(found.attempts()).isEqualTo(1);
            assertThat(found.bytes()).isEqualTo(2);
            assertThat(found.since()).isBetween(found.staged(), found.seen());
        });
        assertThat(browsing.findDeadLetter(UUID.randomUUID())).isEmpty();
        assertThat(browsing.revealDeadLetter(UUID.randomUUID(), "ann", "why")).isEmpty();
        assertThatThrownBy(() -> browsing.revealDeadLetter(one.id(), "ann", " "))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(store.listAuditTrail(9)).isEmpty();

        var letter = browsing.revealDeadLetter(one.id(), "ann", "ticket 7").orElseThrow();
        assertThat(letter.payload().bytes()).isEqualTo("xx".getBytes(StandardCharsets.UTF_8));
        assertThat(store.listAuditTrail(9)).singleElement().satisfies(entry -> {
            assertThat(entry.action()).isEqualTo("outbox: reveal");
            assertThat(entry.target()).isEqualTo(one.id().toString());
            assertThat(entry.why()).isEqualTo("ticket 7");
        });
    }

    /** Among more messages than a walk's length nothing is missed: a page that found nothing says from where to go on. */
    @Test
    void walkIsBoundedAndGoesOn() {
        stage("noise", Optional.empty(), JdbcRecordBrowser.WALK + 10);
        stage("rare", Optional.empty(), 1);
        var none = browsing.searchWaiting(new WaitingMessageSearch(Optional.of("rare"), false, Optional.empty(), 10));
        assertThat(none.rows()).isEmpty();
        assertThat(browsing.searchWaiting(new WaitingMessageSearch(Optional.of("rare"), false, none.next(), 10))
                        .rows())
                .hasSize(1);

        settle("noise", t -> new MessageSettlement.Dead(t.row(), Cause.REFUSED, 0, "410"));
        settle("rare", t -> new MessageSettlement.Dead(t.row(), Cause.REFUSED, 0, "410"));
        var noneDead = browsing.searchDeadLetters(
                new DeadLetterSearch(Optional.of("rare"), Optional.empty(), Optional.empty(), 10));
        assertThat(noneDead.rows()).isEmpty();
        assertThat(browsing.searchDeadLetters(
                                new DeadLetterSearch(Optional.of("rare"), Optional.empty(), noneDead.next(), 10))
                        .rows())
                .hasSize(1);
    }

    @Test
    void malformedCursorIsRefused() {
        for (String bogus : List.of("", "x", "m", "m-1", "d1", "d1.x", "t1.00000000-0000-0000-0000-000000000000")) {
            assertThatThrownBy(() -> browsing.searchWaiting(
                            new WaitingMessageSearch(Optional.empty(), false, Optional.of(bogus), 1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("this is none");
            assertThatThrownBy(() -> browsing.searchDeadLetters(
                            new DeadLetterSearch(Optional.empty(), Optional.empty(), Optional.of(bogus), 1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("this is none");
        }
    }

    private void stage(String topic, Optional<String> orderKey, int messages) {
        var payload = Payload.of("xx".getBytes(StandardCharsets.UTF_8));
        try (var connection = source.getConnection()) {
            connection.setAutoCommit(false);
            for (int i = 0; i < messages; i++) {
                outbox.stage(
                        connection,
                        new StagedMessage(
                                ExecutionEnvironment.system().newNonce(), topic, orderKey.orElse(null), payload));
            }
            connection.commit();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private void settle(String topic, Function<LeasedMessage, MessageSettlement> ending) {
        List<LeasedMessage> taken;
        do {
            taken = outbox.leaseMessages(order(topic, 1_000));
            outbox.settle(taken.stream().map(ending).toList());
        } while (!taken.isEmpty());
    }

    private static MessageLeaseRequest order(String topic, int rows) {
        return new MessageLeaseRequest(topic, Duration.ofMinutes(5), rows, rows, Long.MAX_VALUE);
    }
}
