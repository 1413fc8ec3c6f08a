package dev.refrain.store.contract;

import static dev.refrain.store.contract.Samples.batch;
import static dev.refrain.store.contract.Samples.checkpoint;
import static dev.refrain.store.contract.Samples.complete;
import static dev.refrain.store.contract.Samples.holding;
import static dev.refrain.store.contract.Samples.identity;
import static dev.refrain.store.contract.Samples.payload;
import static dev.refrain.store.contract.Samples.resuming;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.RefrainException;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.State;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.Write;
import dev.refrain.store.WriteAnswer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What one handle wrote another reads: in the next process, after a crash, and not at all if it cannot know how. */
interface FormatContract extends Topic {

    @Test
    default void aStoreSaysWhatItIs() {
        assertThat(probe().store().traits().name()).isNotBlank();
    }

    @Test
    default void aSecondHandleOnDurableDataIsAnother() {
        if (probe().store().traits().durable()) {
            assertThat(probe().harness().second()).isNotSameAs(probe().store());
        } else {
            assertThat(probe().harness().second()).isNotNull();
        }
    }

    @Test
    default void whatOneHandleWroteAnotherReadsInFull() {
        var written = oneInEachSituation();
        var request = holding("flow").about(Optional.of("eve")).storing(Optional.of(payload("the request")));
        probe().written(checkpoint(probe().acquired(request).claim(), "charge_created", "charge 7"));
        var flow = probe().seen("flow");

        var other = new Probe(probe().harness(), probe().harness().second());

        other.untouched(identity("flow"), flow);
        written.forEach((situation, record) -> other.untouched(identity(situation.name()), record));
        assertThat(other.attention())
                .extracting(AttentionItem::identity)
                .containsExactly(identity(Situation.ATTENTION.name()));
    }

    @Test
    default void aClaimMadeThroughOneHandleIsCompletedThroughAnother() {
        var other = new Probe(probe().harness(), probe().harness().second());
        var claim = probe().acquired(resuming("key-1")).claim();

        assertThat(other.found(resuming("key-1")).claim()).isEqualTo(claim);
        other.written(complete(claim, "the outcome"));

        assertThat(probe().found(resuming("key-1")).outcome()).contains(payload("the outcome"));
    }

    /** Both are right, and the traits say which: what was acknowledged survives the store's process, or the process is all. */
    @Test
    default void whatADurableStoreAcknowledgedSurvivesItsProcess() {
        var written = oneInEachSituation();

        var reopened = probe().harness().reopen();

        assertThat(reopened.isPresent()).isEqualTo(probe().store().traits().durable());
        reopened.map(store -> new Probe(probe().harness(), store)).ifPresent(after -> {
            written.forEach((situation, record) -> after.untouched(identity(situation.name()), record));
            after.written(new Write.Release(after.seen(Situation.RUNNING.name()).claim()));
            assertThat(after.seen(Situation.RUNNING.name()).state()).isEqualTo(State.RELEASED);
        });
    }

    /** Misread is worse than unread: a record of a form that is not known is neither run nor replayed. */
    @Test
    default void whatALaterVersionWroteIsRefusedNotGuessed() {
        if (!probe().store().traits().durable()) {
            assertThat(probe().harness().reopen()).isEmpty();
            return;
        }
        probe().completed(resuming("key-1"), "in another form");
        probe().harness().pretendLaterFormat();

        assertThatThrownBy(() -> probe().harness().second().claim(List.of(resuming("key-1"))))
                .isInstanceOf(RefrainException.class)
                .hasMessageContaining("version");
        assertThatThrownBy(() -> probe().harness().second().find(List.of(identity("key-1"))))
                .isInstanceOf(RefrainException.class)
                .hasMessageContaining("version");
    }

    /** Of a batch that it is in the others are claimed, at latest when they are asked for again: nobody is told wrong. */
    @Test
    default void whatALaterVersionWroteStandsInNobodyElsesWay() {
        if (!probe().store().traits().durable()) {
            assertThat(probe().harness().reopen()).isEmpty();
            return;
        }
        var later = resuming("key-1");
        probe().completed(later, "in another form");
        probe().harness().pretendLaterFormat();
        var other = new Probe(probe().harness(), probe().harness().second());
        var requests = batch(7, i -> resuming("key-" + i));

        assertThatThrownBy(() -> askedAgainIfInDoubt(other, requests)).isInstanceOf(RowRejectedException.class);

        for (var request : requests) {
            if (request.identity().equals(later.identity())) {
                assertThatThrownBy(() -> other.store().claim(List.of(request)))
                        .isInstanceOf(RowRejectedException.class);
            } else {
                assertThat(other.acquired(request).fence()).isEqualTo(1);
            }
        }
    }

    /** What is there cannot be told, but that the write is not its own is certain. */
    @Test
    default void aLateWriteToWhatALaterVersionWroteIsRefusedLikeAnyOther() {
        if (!probe().store().traits().durable()) {
            assertThat(probe().harness().reopen()).isEmpty();
            return;
        }
        var lost = probe().acquired(resuming("key-1")).claim();
        probe().written(new Write.Release(lost));
        probe().completed(resuming("key-1"), "in another form");
        probe().harness().pretendLaterFormat();

        assertThat(probe().harness().second().write(List.of(complete(lost, "late"))))
                .containsExactly(new WriteAnswer.Refused(Optional.empty()));
    }

    /** As whoever sends batches does. */
    private static void askedAgainIfInDoubt(Probe asker, List<ClaimRequest> requests) {
        try {
            asker.store().claim(requests);
        } catch (RowRejectedException nothingHappened) {
            throw nothingHappened;
        } catch (StoreException e) {
            assertThat(e.passing()).isTrue();
            assertThat(e.effect()).isEqualTo(Effect.UNKNOWN);
            asker.store().claim(requests);
        }
    }

    private Map<Situation, StoredRecord> oneInEachSituation() {
        var written = new EnumMap<Situation, StoredRecord>(Situation.class);
        for (var situation : Situation.values()) {
            situation.bringAbout(probe(), situation.name());
        }
        for (var situation : Situation.values()) {
            written.put(situation, probe().seen(situation.name()));
        }
        return written;
    }
}
