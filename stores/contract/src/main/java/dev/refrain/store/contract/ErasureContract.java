package dev.refrain.store.contract;

import static dev.refrain.store.contract.Samples.RETENTION;
import static dev.refrain.store.contract.Samples.SCOPE;
import static dev.refrain.store.contract.Samples.checkpoint;
import static dev.refrain.store.contract.Samples.complete;
import static dev.refrain.store.contract.Samples.identity;
import static dev.refrain.store.contract.Samples.payload;
import static dev.refrain.store.contract.Samples.resuming;
import static dev.refrain.store.contract.Samples.unlike;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.key.Identity;
import dev.refrain.outcome.Retention;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.Erased;
import dev.refrain.store.ErasureOrder;
import dev.refrain.store.State;
import dev.refrain.store.TakeOver;
import dev.refrain.store.Write;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a scope's or a person's records say can be removed, and an erased payment is still not paid again. */
interface ErasureContract extends Topic {

    private static ClaimRequest about(String person, String key) {
        return resuming(key).about(Optional.of(person));
    }

    private Erased erase(ErasureOrder.Target target, int limit) {
        return probe().store().erase(new ErasureOrder(target, "ann", "asked for it", limit));
    }

    private Erased eraseScope() {
        return erase(new ErasureOrder.OfScope(SCOPE), 100);
    }

    private Erased erasePerson(String person) {
        return erase(new ErasureOrder.OfPerson(SCOPE, person), 100);
    }

    @Test
    default void anErasedRecordSaysNothingAndIsStillDone() {
        var request = about("eve", "key-1").storing(Optional.of(payload("eve pays")));
        var completed = probe().completed(request, "eve paid");

        assertThat(eraseScope()).isEqualTo(new Erased(1, 0, false));

        var bare = probe().found(resuming("key-1"));
        assertThat(bare.state()).isEqualTo(State.COMPLETED);
        assertThat(bare.claim()).isEqualTo(completed.claim());
        assertThat(bare.fingerprint()).isEmpty();
        assertThat(bare.outcome()).isEmpty();
        assertThat(bare.request()).isEmpty();
        assertThat(bare.carried()).isEmpty();
        probe().untouched(identity("key-1"), bare);
    }

    @Test
    default void anErasedPaymentIsNeverPaidAgainWhateverIsAsked() {
        probe().completed(resuming("key-1"), "paid");
        eraseScope();

        assertThat(probe().found(resuming("key-1")).state()).isEqualTo(State.COMPLETED);
        assertThat(probe().found(unlike(resuming("key-1"))).state()).isEqualTo(State.COMPLETED);
        assertThat(probe().seen("key-1").outcome()).isEmpty();
    }

    @Test
    default void anErasedRecordExpiresAndIsReapedLikeAnyOther() {
        probe().completed(resuming("key-1"), "paid");
        eraseScope();
        probe().letPass(RETENTION);

        probe().absent("key-1");
        assertThat(probe().store().reap(10)).isEqualTo(1);
        assertThat(probe().acquired(resuming("key-1")).fence()).isEqualTo(1);
    }

    @Test
    default void onlyTheScopesOwnRecordsAreErased() {
        var theirs = Samples.request(
                new Identity("tenant-2", "payments.create", "key-1"), TakeOver.RESUME, Retention.of(RETENTION));
        var kept = probe().completed(theirs.about(Optional.of("eve")), "theirs");
        probe().completed(about("eve", "key-1"), "ours");

        assertThat(eraseScope().erased()).isEqualTo(1);
        assertThat(erasePerson("eve").erased()).isZero();

        probe().untouched(theirs.identity(), kept);
    }

    @Test
    default void onlyThePersonsOwnRecordsAreErased() {
        probe().completed(about("eve", "key-1"), "eve's");
        probe().completed(about("eve", "key-2"), "eve's too");
        var bobs = probe().completed(about("bob", "key-3"), "bob's");
        var nobodys = probe().completed(resuming("key-4"), "nobody's");

        assertThat(erasePerson("eve")).isEqualTo(new Erased(2, 0, false));

        assertThat(probe().seen("key-1").outcome()).isEmpty();
        assertThat(probe().seen("key-2").outcome()).isEmpty();
        probe().untouched(identity("key-3"), bobs);
        probe().untouched(identity("key-4"), nobodys);
    }

    @Test
    default void whatIsInUseIsLeftAloneAndCounted() {
        var running = probe().acquired(about("eve", "key-1"));
        var held = probe().escalated(about("eve", "key-2"), "the connection broke");
        probe().completed(about("eve", "key-3"), "done");

        assertThat(erasePerson("eve")).isEqualTo(new Erased(1, 2, false));

        probe().untouched(identity("key-1"), running);
        probe().untouched(identity("key-2"), held);
        assertThat(probe().attention()).hasSize(1);
        probe().written(complete(running.claim(), "done"));
        assertThat(erasePerson("eve")).isEqualTo(new Erased(1, 1, false));
    }

    @Test
    default void whatWasReleasedBetweenTwoPhasesIsInUse() {
        var claim = probe().acquired(about("eve", "key-1").storing(Optional.of(payload("the request"))))
                .claim();
        probe().written(checkpoint(claim, "charge_created", "charge 7"));
        probe().written(new Write.Release(claim));

        assertThat(erasePerson("eve")).isEqualTo(new Erased(0, 1, false));

        var again = probe().acquired(resuming("key-1"));
        assertThat(again.recoveryPoint()).contains("charge_created");
        assertThat(again.carried()).contains(payload("charge 7"));
        assertThat(again.request()).contains(payload("the request"));
    }

    /** The same id, so that whatever it sent before is sent under the same derived keys. */
    @Test
    default void anErasedReleasedRecordIsClaimedUnderTheSameIdByWhoeverAsks() {
        var released = probe().released(about("eve", "key-1"));
        assertThat(erasePerson("eve")).isEqualTo(new Erased(1, 0, false));
        assertThat(probe().seen("key-1").state()).isEqualTo(State.RELEASED);
        var request = unlike(about("bob", "key-1")).storing(Optional.of(payload("bob pays")));

        var again = probe().acquired(request);

        assertThat(again.id()).isEqualTo(released.id());
        assertThat(again.fence()).isEqualTo(2);
        assertThat(again.fingerprint()).contains(request.fingerprint());
        assertThat(again.request()).contains(payload("bob pays"));
        assertThat(probe().found(resuming("key-1")).fingerprint()).contains(request.fingerprint());
        assertThat(probe().store().count(SCOPE, 10)).isEqualTo(1);
    }

    @Test
    default void whatAnErasedRecordSaysAfterwardsCanBeErasedToo() {
        probe().released(about("eve", "key-1"));
        erasePerson("eve");
        probe().completed(about("eve", "key-1"), "eve paid after all");

        assertThat(erasePerson("eve")).isEqualTo(new Erased(1, 0, false));

        assertThat(probe().seen("key-1").outcome()).isEmpty();
    }

    @Test
    default void anErasureIsBoundedAndSaysWhetherThereMayBeMore() {
        for (int i = 0; i < 7; i++) {
            probe().completed(about("eve", "key-" + i), "done");
        }

        int erased = 0;
        Erased part;
        do {
            part = erase(new ErasureOrder.OfPerson(SCOPE, "eve"), 3);
            assertThat(part.erased()).isLessThanOrEqualTo(3);
            erased += part.erased();
        } while (part.more());

        assertThat(erased).isEqualTo(7);
        assertThat(erasePerson("eve")).isEqualTo(new Erased(0, 0, false));
    }

    @Test
    default void anErasureIsAuditedWithWhoAndWhyButNotWithWhatWasErased() {
        probe().completed(about("eve@example.org", "key-1"), "done");

        erasePerson("eve@example.org");

        assertThat(probe().store().audit(10)).singleElement().satisfies(entry -> {
            assertThat(entry.who()).isEqualTo("ann");
            assertThat(entry.why()).isEqualTo("asked for it");
            assertThat(entry.action()).isNotBlank();
            assertThat(entry.toString()).doesNotContain("eve@example.org").doesNotContain(SCOPE);
        });
    }

    @Test
    default void aLateCompletionDoesNotBringBackWhatWasErased() {
        var completed = probe().completed(about("eve", "key-1"), "eve paid");
        erasePerson("eve");

        probe().refused(complete(completed.claim(), "eve paid"));

        assertThat(probe().seen("key-1").outcome()).isEmpty();
    }
}
