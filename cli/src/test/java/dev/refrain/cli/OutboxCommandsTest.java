package dev.refrain.cli;

import static dev.refrain.cli.CommandResult.refrain;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.Payload;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.jdbc.JdbcStore;
import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageLeaseRequest;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.MessageSettlement.Cause;
import dev.refrain.store.outbox.StagedMessage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Outbox commands on SQLite. The store contract tests that all databases give the same results. */
class OutboxCommandsTest {

    @TempDir
    Path directory;

    private String url;
    private JdbcStore store;

    @BeforeEach
    void open() {
        url = OperatorTestStore.SQLITE.fresh(directory);
        store = OperatorTestStore.open(url);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void backlogIsShownByTopicAndListed() {
        assertThat(run("outbox", "topics").out()).startsWith("No waiting messages and no dead letters.");
        stage("receipts", "a", "b");
        stage("webhooks", "c");
        settle("webhooks", t -> new MessageSettlement.Failed(t.row(), Duration.ofMinutes(5), "reset by peer"));
        var dead = dead("mails", "d", Cause.REFUSED);

        assertThat(run("outbox", "topics").out()).contains("WAITING", "receipts", "webhooks", "mails");
        var topics = json("outbox", "topics");
        assertThat(topics.at("/0/dead").asInt()).isEqualTo(1);
        assertThat(topics.at("/1/topic").asString()).isEqualTo("receipts");
        assertThat(topics.at("/1/waiting").asInt()).isEqualTo(2);
        assertThat(topics.at("/2/failing").asInt()).isEqualTo(1);

        assertThat(run("outbox", "list").out())
                .contains("receipts", "webhooks", "reset by peer", "in 4m")
                .doesNotContain(dead.toString());
        assertThat(json("outbox", "list", "--failing").at("/messages")).hasSize(1);
        var page = json("outbox", "list", "--topic", "receipts", "--limit", "1");
        assertThat(json(
                                "outbox",
                                "list",
                                "--topic",
                                "receipts",
                                "--after",
                                page.at("/next").asString())
                        .at("/messages"))
                .hasSize(1);
        assertThat(run("outbox", "list", "--after", "bogus").exitCode()).isEqualTo(2);
        assertThat(run("outbox", "list", "--limit", "0").exitCode()).isEqualTo(2);
    }

    @Test
    void deadLetterIsListedShownAndRevealedForAReason() {
        var id = dead("webhooks", "the body", Cause.EXHAUSTED);
        assertThat(run("deadletters", "list").out()).contains(id.toString(), "EXHAUSTED", "no luck");
        assertThat(json("deadletters", "list", "--cause", "UNKNOWN").at("/messages"))
                .isEmpty();

        CommandResult shown = run("deadletters", "show", "--id", id.toString());
        assertThat(shown.out()).contains("no luck", "key").doesNotContain("the body");
        assertThat(run("deadletters", "show", "--id", id.toString(), "--reveal").exitCode())
                .isEqualTo(2);
        assertThat(run("deadletters", "show", "--id", id.toString(), "--reveal", "--reason", "x")
                        .exitCode())
                .isEqualTo(1);
        assertThat(store.listAuditTrail(9)).isEmpty();
        assertThat(json("deadletters", "show", "--id", id.toString(), "--reveal", "--reason", "ticket 7", "--yes")
                        .at("/body/text")
                        .asString())
                .isEqualTo("the body");
        assertThat(store.listAuditTrail(9)).extracting(AuditEntry::why).containsExactly("ticket 7");
    }

    @Test
    void deadLettersAreResentOrDiscarded() {
        var again = dead("webhooks", "a", Cause.EXHAUSTED);
        var gone = dead("webhooks", "b", Cause.REFUSED);
        CommandResult unconfirmed = run("deadletters", "resend", "--id", again.toString(), "--reason", "mended");
        assertThat(unconfirmed.exitCode()).isEqualTo(1);
        assertThat(unconfirmed.err()).contains("Use --yes").hasLineCount(1);
        assertThat(run("deadletters", "replay", "--id", again.toString(), "--yes")
                        .exitCode())
                .isEqualTo(2);
        assertThat(store.outboxBrowser().findDeadLetter(again)).isPresent();

        assertThat(run("deadletters", "resend", "--id", again.toString(), "--reason", "mended", "--by", "ann", "--yes")
                        .out())
                .isEqualToIgnoringNewLines("Resent 1 message.");
        assertThat(json("deadletters", "discard", "--id", gone.toString(), "--reason", "left", "--yes")
                        .at("/messages")
                        .asInt())
                .isEqualTo(1);
        assertThat(json("deadletters", "list").at("/messages")).isEmpty();
        assertThat(json("outbox", "list").at("/messages/0/id").asString()).isEqualTo(again.toString());
        assertThat(store.listAuditTrail(9))
                .extracting(AuditEntry::action, AuditEntry::why)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("outbox: dismiss", "left"),
                        org.assertj.core.groups.Tuple.tuple("outbox: send again", "mended"));
        assertThat(run("deadletters", "discard", "--id", gone.toString(), "--reason", "x", "--yes")
                        .err())
                .isEqualToIgnoringNewLines("refrain: No dead letter with id " + gone + ".");
    }

    @Test
    void allDeadLettersOfATopicAreResentInBatches() {
        stage("webhooks", Stream.iterate("x", x -> x).limit(1_200).toArray(String[]::new));
        settle("webhooks", t -> new MessageSettlement.Dead(t.row(), Cause.EXHAUSTED, 0, "no luck"));
        var unknown = dead("webhooks", "perhaps", Cause.UNKNOWN);
        var other = dead("mails", "y", Cause.EXHAUSTED);
        assertThat(run("deadletters", "replay", "--reason", "x", "--yes").exitCode())
                .isEqualTo(2);
        assertThat(run("deadletters", "replay", "--cause", "UNKNOWN", "--reason", "x", "--yes")
                        .exitCode())
                .isEqualTo(2);
        assertThat(run(
                                "deadletters",
                                "replay",
                                "--topic",
                                "webhooks",
                                "--cause",
                                "EXHAUSTED",
                                "--reason",
                                "mended",
                                "--yes")
                        .out())
                .isEqualToIgnoringNewLines("Resent 1200 messages.");
        assertThat(store.outboxBrowser().findDeadLetter(unknown)).isPresent();
        assertThat(store.outboxBrowser().findDeadLetter(other)).isPresent();
        assertThat(json("deadletters", "discard", "--topic", "webhooks", "--reason", "x", "--yes")
                        .at("/messages")
                        .asInt())
                .isEqualTo(1);
    }

    @Test
    void hostileReasonIsEscaped() {
        stage("t", "x");
        settle("t", t -> new MessageSettlement.Dead(t.row(), Cause.REFUSED, 0, "\u001b[2J"));
        assertThat(run("deadletters", "list").out()).contains("\\u001b[2J").doesNotContain("\u001b");
    }

    private CommandResult run(String... arguments) {
        return refrain(
                Stream.concat(Stream.of(arguments), Stream.of("--store", url)).toArray(String[]::new));
    }

    private JsonNode json(String... arguments) {
        CommandResult ran =
                run(Stream.concat(Stream.of(arguments), Stream.of("--json")).toArray(String[]::new));
        assertThat(ran.err()).isEmpty();
        return JsonMapper.shared().readTree(ran.out());
    }

    private UUID dead(String topic, String body, Cause cause) {
        var id = stage(topic, body);
        settle(topic, t -> new MessageSettlement.Dead(t.row(), cause, 0, "no luck"));
        return id;
    }

    /** @return the id of the last message */
    private UUID stage(String topic, String... bodies) {
        var id = new UUID(0, 0);
        try (var connection = OperatorTestStore.source(url).getConnection()) {
            connection.setAutoCommit(false);
            for (String body : bodies) {
                id = ExecutionEnvironment.system().newNonce();
                store.outbox()
                        .stage(
                                connection,
                                new StagedMessage(id, topic, null, Payload.of(body.getBytes(StandardCharsets.UTF_8))));
            }
            connection.commit();
            return id;
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private void settle(String topic, Function<LeasedMessage, MessageSettlement> ending) {
        var taken = store.outbox()
                .leaseMessages(new MessageLeaseRequest(topic, Duration.ofMinutes(5), 10_000, 10_000, Long.MAX_VALUE));
        store.outbox().settle(taken.stream().map(ending).toList());
    }
}
