package dev.refrain.store.contract;

import static dev.refrain.store.contract.Samples.batch;
import static dev.refrain.store.contract.Samples.complete;
import static dev.refrain.store.contract.Samples.payload;
import static dev.refrain.store.contract.Samples.resuming;
import static dev.refrain.store.contract.Samples.sorted;
import static dev.refrain.store.contract.Samples.unlike;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.outcome.Payload;
import dev.refrain.store.ClaimAnswer;
import dev.refrain.store.ClaimRef;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.State;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.Write;
import dev.refrain.store.WriteAnswer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Many questions at once: answered in order, one each, each atomic by itself. */
interface BatchContract extends Topic {

    @Test
    default void anEmptyBatchIsAnsweredByNothing() {
        assertThat(probe().store().claim(List.of())).isEmpty();
        assertThat(probe().store().write(List.of())).isEmpty();
        assertThat(probe().store().find(List.of())).isEmpty();
    }

    @Test
    default void aMixedBatchOfClaimsIsAnsweredInOrderEachForItself() {
        var likes = new HashMap<String, Situation>();
        var unlikes = new HashMap<String, Situation>();
        var wishes = new ArrayList<ClaimRequest>();
        for (var situation : Situation.values()) {
            situation.bringAbout(probe(), "like-" + situation);
            likes.put("like-" + situation, situation);
            situation.bringAbout(probe(), "unlike-" + situation);
            unlikes.put("unlike-" + situation, situation);
        }
        likes.keySet().forEach(key -> wishes.add(resuming(key)));
        unlikes.keySet().forEach(key -> wishes.add(unlike(resuming(key))));
        wishes.add(resuming("absent-1"));
        wishes.add(resuming("absent-2"));
        var asked = sorted(wishes);

        var answers = probe().store().claim(asked);

        assertThat(answers).hasSameSizeAs(asked);
        for (int i = 0; i < asked.size(); i++) {
            var request = asked.get(i);
            assertThat(recordOf(answers.get(i)).lookup()).isEqualTo(request.lookup());
            String key = request.identity().key();
            answeredLike(likes.get(key), unlikes.containsKey(key), answers.get(i));
        }
    }

    private static void answeredLike(@Nullable Situation like, boolean unlike, ClaimAnswer answer) {
        if (unlike) {
            Probe.found(answer);
        } else if (like == null) {
            assertThat(Probe.acquired(answer).fence()).isEqualTo(1);
        } else {
            switch (like) {
                case RELEASED, LEASE_OVER_RESUME ->
                    assertThat(Probe.acquired(answer).fence()).isEqualTo(2);
                case RUNNING -> assertThat(Probe.found(answer).state()).isEqualTo(State.IN_PROGRESS);
                case COMPLETED -> assertThat(Probe.found(answer).outcome()).isPresent();
                case ATTENTION, LEASE_OVER_HOLD ->
                    assertThat(Probe.found(answer).state()).isEqualTo(State.ATTENTION);
            }
        }
    }

    private static StoredRecord recordOf(ClaimAnswer answer) {
        return answer instanceof ClaimAnswer.Acquired acquired ? acquired.record() : Probe.found(answer);
    }

    @Test
    default void aMixedBatchOfWritesIsAnsweredInOrderEachForItself() {
        var requests = batch(30, i -> resuming("key-" + i));
        var claims = probe().store().claim(requests);
        var kinds = List.of(WriteKind.values());
        var writes = new ArrayList<Write>();
        for (int i = 0; i < claims.size(); i++) {
            var claim = Probe.acquired(claims.get(i)).claim();
            boolean stale = i % 6 == 5;
            writes.add(kinds.get(i % kinds.size()).on(stale ? new ClaimRef(claim.lookup(), claim.id(), 9) : claim));
        }

        var answers = probe().store().write(writes);

        var now = probe().store()
                .find(requests.stream().map(ClaimRequest::identity).toList());
        for (int i = 0; i < writes.size(); i++) {
            if (i % 6 == 5) {
                assertThat(Probe.refused(answers.get(i)).orElseThrow().lookup())
                        .isEqualTo(requests.get(i).lookup());
                assertThat(now.get(i).orElseThrow().state()).isEqualTo(State.IN_PROGRESS);
            } else {
                assertThat(answers.get(i)).isEqualTo(new WriteAnswer.Written());
                assertThat(now.get(i).orElseThrow().state())
                        .isEqualTo(kinds.get(i % kinds.size()).leadsTo());
            }
        }
    }

    @Test
    default void aThousandQuestionsAreAnsweredEachWithItsOwn() {
        var requests = batch(1_000, i -> resuming("key-" + i));

        var claims = probe().store().claim(requests);
        var completions = claims.stream()
                .map(answer -> Probe.acquired(answer).claim())
                .map(claim -> complete(claim, "outcome of " + claim.lookup()))
                .toList();
        assertThat(probe().store().write(completions)).hasSize(1_000).containsOnly(new WriteAnswer.Written());

        var found = probe().store()
                .find(requests.stream().map(ClaimRequest::identity).toList());
        var replays = probe().store().claim(requests.stream().map(Samples::twin).toList());
        for (int i = 0; i < requests.size(); i++) {
            var expected = Optional.of(payload("outcome of " + requests.get(i).lookup()));
            assertThat(found.get(i).orElseThrow().outcome()).isEqualTo(expected);
            assertThat(Probe.found(replays.get(i)).outcome()).isEqualTo(expected);
        }
    }

    @Test
    default void aBatchOfLargeOutcomesKeepsThemApart() {
        var requests = batch(20, i -> resuming("key-" + i));
        var writes = new ArrayList<Write>();
        var expected = new ArrayList<Optional<Payload>>();
        for (var answer : probe().store().claim(requests)) {
            var bytes = new byte[100_000];
            Arrays.fill(bytes, (byte) writes.size());
            expected.add(Optional.of(Payload.of(bytes)));
            writes.add(new Write.Complete(Probe.acquired(answer).claim(), expected.getLast(), Optional.empty()));
        }

        probe().store().write(writes);

        var found = probe().store()
                .find(requests.stream().map(ClaimRequest::identity).toList());
        for (int i = 0; i < requests.size(); i++) {
            assertThat(found.get(i).orElseThrow().outcome()).isEqualTo(expected.get(i));
        }
    }

    @Test
    default void absentAndPresentRecordsAreFoundInOrder() {
        var requests = batch(20, i -> resuming("key-" + i));
        for (int i = 0; i < requests.size(); i += 3) {
            probe().acquired(requests.get(i));
        }

        var found = probe().store()
                .find(requests.stream().map(ClaimRequest::identity).toList());

        for (int i = 0; i < requests.size(); i++) {
            var expected = i % 3 == 0 ? Optional.of(requests.get(i).lookup()) : Optional.empty();
            assertThat(found.get(i).map(StoredRecord::lookup)).isEqualTo(expected);
        }
    }

    @Test
    default void aBatchSentAgainAfterALostReplyIsAnsweredAlike() {
        var requests = batch(50, i -> resuming("key-" + i));
        var first = probe().store().claim(requests);
        var again = probe().store().claim(requests);
        for (int i = 0; i < requests.size(); i++) {
            Probe.same(Probe.acquired(again.get(i)), Probe.acquired(first.get(i)));
        }

        var completions = first.stream()
                .map(answer -> complete(Probe.acquired(answer).claim(), "done"))
                .toList();
        assertThat(probe().store().write(completions)).containsOnly(new WriteAnswer.Written());
        assertThat(probe().store().write(completions)).hasSize(50).containsOnly(new WriteAnswer.Written());
    }

    @Test
    default void aHalfDoneBatchSentAgainIsFinished() {
        var requests = batch(50, i -> resuming("key-" + i));
        var half = probe().store().claim(requests.subList(0, 25));

        var all = probe().store().claim(requests);

        assertThat(all)
                .allSatisfy(answer -> assertThat(Probe.acquired(answer).fence()).isEqualTo(1));
        for (int i = 0; i < half.size(); i++) {
            Probe.same(Probe.acquired(all.get(i)), Probe.acquired(half.get(i)));
        }
    }
}
