package dev.refrain.store.contract;

import static dev.refrain.store.contract.OutboxTestMessages.all;
import static dev.refrain.store.contract.OutboxTestMessages.inOrder;
import static dev.refrain.store.contract.OutboxTestMessages.labelled;
import static dev.refrain.store.contract.OutboxTestMessages.message;
import static dev.refrain.store.contract.OutboxTestMessages.stage;
import static dev.refrain.store.contract.OutboxTestMessages.take;
import static dev.refrain.store.contract.OutboxTestMessages.texts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.AuditTrailReader;
import dev.refrain.store.outbox.DeadLetterDecision;
import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageLabels;
import dev.refrain.store.outbox.MessageLeaseRequest;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.MessageSettlement.Cause;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of {@link OutboxContract} about messages that were given up: where they are listed, and how they are sent again. */
interface DeadLetterContractTests<C> extends TransactionalSuite<C> {

    @Test
    default void deadMessageMakesWayForTheRestOfItsLane() throws Exception {
        stage(this, inOrder("k", "poison"), inOrder("k", "next"));
        var taken = outbox().leaseMessages(
                        new MessageLeaseRequest("t", OutboxContract.LEASE, 1, 1, OutboxContract.ANY_BYTES))
                .getFirst();
        outbox().settle(List.of(new MessageSettlement.Dead(taken.row(), Cause.EXHAUSTED, 1, "ten times")));
        assertThat(texts(take(this))).containsExactly("next");
        assertThat(outbox().deadLetters(null, 10)).singleElement().satisfies(letter -> {
            assertThat(letter.id()).isEqualTo(taken.id());
            assertThat(letter.cause()).isEqualTo(Cause.EXHAUSTED);
            assertThat(letter.reason()).isEqualTo("ten times");
            assertThat(letter.attempts()).isEqualTo(1);
        });
    }

    @Test
    default void deadLetterIsSentAgainUnderItsIdAndThatIsAudited() throws Exception {
        stage(this, message("t", "a"), message("t", "b"));
        var taken = take(this);
        outbox().settle(all(taken, t -> new MessageSettlement.Dead(t.row(), Cause.UNKNOWN, 1, "who knows")));
        var letters = outbox().deadLetters(null, 1);
        var rest = outbox().deadLetters(letters.getFirst(), 10);
        assertThat(rest).hasSize(1);

        var again = List.of(letters.getFirst().id());
        assertThat(outbox().resolveDeadLetters(
                                new DeadLetterDecision(again, DeadLetterDecision.Action.RESEND, "ann", "asked them")))
                .isEqualTo(1);
        assertThat(outbox().resolveDeadLetters(
                                new DeadLetterDecision(again, DeadLetterDecision.Action.RESEND, "ann", "asked them")))
                .isZero();
        assertThat(outbox().resolveDeadLetters(new DeadLetterDecision(
                        List.of(rest.getFirst().id()), DeadLetterDecision.Action.DISCARD, "bob", "too late")))
                .isEqualTo(1);

        assertThat(take(this)).singleElement().satisfies(t -> {
            assertThat(t.id()).isEqualTo(letters.getFirst().id());
            assertThat(t.mayHaveArrived()).isFalse();
            assertThat(t.attempts()).isEqualTo(1);
        });
        assertThat(outbox().deadLetters(null, 10)).isEmpty();
        client().whereAble(
                        AuditTrailReader.class,
                        trail -> assertThat(trail.listAuditTrail(10))
                                .extracting(entry -> entry.action() + " by " + entry.who() + ": " + entry.why())
                                .containsExactly(
                                        "outbox: dismiss by bob: too late", "outbox: send again by ann: asked them"));
    }

    /** Resending a dead letter does not assert that it was never delivered. */
    @Test
    default void resentDeadLetterStillKnowsWhetherItMayHaveArrived() throws Exception {
        stage(this, message("t", "lost"), message("t", "refused"));
        var taken = take(this);
        outbox().settle(List.of(
                new MessageSettlement.Dead(taken.get(0).row(), Cause.EXHAUSTED, 1, "the reply is lost"),
                new MessageSettlement.Dead(taken.get(1).row(), Cause.EXHAUSTED, 0, "503")));
        client().advanceTime(Duration.ofMinutes(5));

        outbox().resolveDeadLetters(new DeadLetterDecision(
                taken.stream().map(LeasedMessage::id).toList(),
                DeadLetterDecision.Action.RESEND,
                "ann",
                "it is mended"));

        var again = take(this);
        assertThat(again)
                .hasSize(2)
                .allMatch(t -> t.attempts() == 1)
                .allSatisfy(t -> assertThat(t.mayHaveArrived())
                        .isEqualTo(texts(List.of(t)).equals(List.of("lost"))));
        assertThat(again)
                .filteredOn(LeasedMessage::mayHaveArrived)
                .allMatch(t -> t.unresolvedSince().compareTo(Duration.ofMinutes(5)) > 0);
    }

    @Test
    default void deadLetterIsFoundByItsReferenceAlsoAfterItWasResent() throws Exception {
        var labels = MessageLabels.ofScope("acme").withSubject("eve").withReference("job 7");
        stage(this, labelled("a", labels), labelled("b", MessageLabels.NONE));
        for (int round = 0; round < 2; round++) {
            var taken = take(this).stream()
                    .filter(message -> message.labels().reference().isPresent())
                    .toList();
            assertThat(taken)
                    .singleElement()
                    .satisfies(message -> assertThat(message.labels()).isEqualTo(labels));
            assertThat(outbox().findDeadLetter("t", "job 7")).isEmpty();
            outbox().settle(List.of(new MessageSettlement.Dead(
                    taken.getFirst().row(), MessageSettlement.Cause.EXHAUSTED, 0, "always fails")));

            var dead = outbox().findDeadLetter("t", "job 7");
            assertThat(dead).isPresent();
            assertThat(dead.get().reason()).isEqualTo("always fails");
            assertThat(outbox().findDeadLetter("t", "job 8")).isEmpty();
            assertThat(outbox().findDeadLetter("other", "job 7")).isEmpty();
            outbox().resolveDeadLetters(new DeadLetterDecision(
                    List.of(dead.get().id()), DeadLetterDecision.Action.RESEND, "ann", "mended"));
        }
    }
}
