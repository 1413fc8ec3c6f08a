package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.payload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.AuditTrailReader;
import dev.refrain.store.outbox.DeadLetterSearch;
import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageLeaseRequest;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.MessageSettlement.Cause;
import dev.refrain.store.outbox.OutboxBrowser;
import dev.refrain.store.outbox.StagedMessage;
import dev.refrain.store.outbox.TopicSummary;
import dev.refrain.store.outbox.WaitingMessage;
import dev.refrain.store.outbox.WaitingMessageSearch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Suite of the ability {@link OutboxBrowser}: people see waiting messages and dead letters; the body of a dead letter is revealed
 * only after the access was audited.
 *
 * @param <C> the caller's access to the database in its transaction
 */
public interface OutboxBrowsingContract<C> extends TransactionalSuite<C> {

    private OutboxBrowser browser() {
        return client().ability(OutboxBrowser.class);
    }

    private void stageMessages(String topic, int count) throws Exception {
        database().inTransaction(connection -> {
            for (int i = 0; i < count; i++) {
                outbox().stage(
                                connection,
                                new StagedMessage(
                                        ExecutionEnvironment.system().newNonce(),
                                        topic,
                                        null,
                                        payload(topic + " " + i)));
            }
        });
    }

    private void settleMessages(String topic, Function<LeasedMessage, MessageSettlement> settlement) {
        var taken = outbox().leaseMessages(new MessageLeaseRequest(topic, Duration.ofMinutes(1), 10, 10, 1 << 20));
        outbox().settle(taken.stream().map(settlement).toList());
    }

    @Test
    default void everyTopicInWhichSomethingWaitsOrIsDeadIsCounted() throws Exception {
        assertThat(browser().topics(100)).isEmpty();
        stageMessages("waits", 3);
        stageMessages("gone", 2);
        settleMessages("gone", m -> new MessageSettlement.Dead(m.row(), Cause.REFUSED, 0, "410"));

        assertThat(browser().topics(100))
                .extracting(TopicSummary::topic, TopicSummary::waiting, TopicSummary::dead)
                .containsExactly(tuple("gone", 0L, 2L), tuple("waits", 3L, 0L));
    }

    @Test
    default void waitingMessagesArePagedInTheOrderOfStagingWithTheirLastFailure() throws Exception {
        stageMessages("t", 7);
        settleMessages("t", m -> new MessageSettlement.Failed(m.row(), Duration.ofMinutes(1), "reset"));
        stageMessages("other", 1);

        var found = new ArrayList<WaitingMessage>();
        Optional<String> after = Optional.empty();
        do {
            var page = browser().searchWaiting(new WaitingMessageSearch(Optional.of("t"), false, after, 3));
            assertThat(page.rows()).hasSizeLessThanOrEqualTo(3);
            found.addAll(page.rows());
            after = page.next();
        } while (after.isPresent());

        assertThat(found).hasSize(7).allSatisfy(message -> {
            assertThat(message.topic()).isEqualTo("t");
            assertThat(message.reason()).contains("reset");
            assertThat(message.attempts()).isEqualTo(1);
            assertThat(message.times().due()).isAfter(message.times().seen());
        });
        assertThat(found).extracting(WaitingMessage::sequence).isSorted();
    }

    @Test
    default void payloadOfADeadLetterIsRevealedAfterThatIsAudited() throws Exception {
        stageMessages("t", 1);
        settleMessages("t", m -> new MessageSettlement.Dead(m.row(), Cause.UNKNOWN, 1, "the reply is lost"));
        var view = browser()
                .searchDeadLetters(new DeadLetterSearch(Optional.of("t"), Optional.empty(), Optional.empty(), 10))
                .rows()
                .getFirst();
        assertThat(view.cause()).isEqualTo(Cause.UNKNOWN);
        assertThat(view.bytes()).isGreaterThanOrEqualTo(payload("t 0").size());

        var letter = browser().revealDeadLetter(view.id(), "ann", "the customer asks");

        assertThat(letter.orElseThrow().payload()).isEqualTo(payload("t 0"));
        client().whereAble(
                        AuditTrailReader.class,
                        trail -> assertThat(trail.listAuditTrail(10))
                                .extracting(AuditEntry::who, AuditEntry::why)
                                .containsExactly(tuple("ann", "the customer asks")));
        assertThat(browser().findDeadLetter(view.id())).isPresent();
        assertThat(browser().findDeadLetter(UUID.randomUUID())).isEmpty();
        assertThat(browser().revealDeadLetter(UUID.randomUUID(), "ann", "a guess"))
                .isEmpty();
    }

    @Test
    default void deadLettersAreSearchedByTopicAndCause() throws Exception {
        for (String topic : List.of("a", "b")) {
            stageMessages(topic, 1);
            settleMessages(
                    topic,
                    m -> new MessageSettlement.Dead(
                            m.row(), topic.equals("a") ? Cause.REFUSED : Cause.EXHAUSTED, 0, "no"));
        }

        assertThat(browser()
                        .searchDeadLetters(new DeadLetterSearch(
                                Optional.empty(), Optional.of(Cause.EXHAUSTED), Optional.empty(), 10))
                        .rows())
                .singleElement()
                .satisfies(letter -> assertThat(letter.topic()).isEqualTo("b"));
        assertThatThrownBy(() -> browser()
                        .searchDeadLetters(
                                new DeadLetterSearch(Optional.empty(), Optional.empty(), Optional.of("no cursor"), 10)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
