package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.NAMESPACE;
import static dev.refrain.store.contract.StoreTestData.NEIGHBOURS;
import static dev.refrain.store.contract.StoreTestData.RETENTION;
import static dev.refrain.store.contract.StoreTestData.SCOPE;
import static dev.refrain.store.contract.StoreTestData.checkpoint;
import static dev.refrain.store.contract.StoreTestData.complete;
import static dev.refrain.store.contract.StoreTestData.conflictingRequest;
import static dev.refrain.store.contract.StoreTestData.identity;
import static dev.refrain.store.contract.StoreTestData.payload;
import static dev.refrain.store.contract.StoreTestData.resumableRequest;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Retention;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.AuditTrailReader;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.ErasureResult;
import dev.refrain.store.RecordCounter;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Suite of the ability {@link dev.refrain.store.RecordEraser}: what a scope's or a person's records say can be removed, and an erased payment
 * is still not paid again.
 */
public interface ErasureContract extends StoreContractPart {

    private static ClaimRequest about(String person, String key) {
        return resumableRequest(key).withSubject(Optional.of(person));
    }

    private ErasureResult erase(ErasureRequest.Target target, int limit) {
        return client().eraser().erase(new ErasureRequest(target, "ann", "asked for it", limit));
    }

    private ErasureResult eraseScope() {
        return erase(new ErasureRequest.OfScope(SCOPE), 100);
    }

    private ErasureResult erasePerson(String person) {
        return erase(new ErasureRequest.OfSubject(SCOPE, person), 100);
    }

    @Test
    default void anErasedRecordSaysNothingAndIsStillDone() {
        var request = about("eve", "key-1").withStoredRequest(Optional.of(payload("eve pays")));
        var completed = client().claimAndComplete(request, "eve paid");

        assertThat(eraseScope()).isEqualTo(new ErasureResult(1, 0, false));

        var bare = client().expectFound(resumableRequest("key-1"));
        assertThat(bare.state()).isEqualTo(RecordState.COMPLETED);
        assertThat(bare.claim()).isEqualTo(completed.claim());
        assertThat(bare.fingerprint()).isEmpty();
        assertThat(bare.outcome()).isEmpty();
        assertThat(bare.request()).isEmpty();
        assertThat(bare.carried()).isEmpty();
        client().expectUnchanged(identity("key-1"), bare);
    }

    @Test
    default void anErasedPaymentIsNeverPaidAgainWhateverIsAsked() {
        client().claimAndComplete(resumableRequest("key-1"), "paid");
        eraseScope();

        assertThat(client().expectFound(resumableRequest("key-1")).state()).isEqualTo(RecordState.COMPLETED);
        assertThat(client().expectFound(conflictingRequest(resumableRequest("key-1")))
                        .state())
                .isEqualTo(RecordState.COMPLETED);
        assertThat(client().expectPresent("key-1").outcome()).isEmpty();
    }

    @Test
    default void anErasedRecordExpiresAndIsReapedLikeAnyOther() {
        client().claimAndComplete(resumableRequest("key-1"), "paid");
        eraseScope();
        client().advanceTime(RETENTION);

        client().expectAbsent("key-1");
        assertThat(client().store().reap(10)).isEqualTo(1);
        assertThat(client().expectAcquired(resumableRequest("key-1")).fence()).isEqualTo(1);
    }

    @Test
    default void onlyTheScopesOwnRecordsAreErased() {
        var theirs = StoreTestData.request(
                new ScopedKey("tenant-2", "payments.create", "key-1"),
                LeaseExpiryPolicy.RESUME,
                Retention.of(RETENTION));
        var kept = client().claimAndComplete(theirs.withSubject(Optional.of("eve")), "theirs");
        client().claimAndComplete(about("eve", "key-1"), "ours");

        assertThat(eraseScope().erased()).isEqualTo(1);
        assertThat(erasePerson("eve").erased()).isZero();

        client().expectUnchanged(theirs.identity(), kept);
    }

    @Test
    default void onlyThePersonsOwnRecordsAreErased() {
        client().claimAndComplete(about("eve", "key-1"), "eve's");
        client().claimAndComplete(about("eve", "key-2"), "eve's too");
        var bobs = client().claimAndComplete(about("bob", "key-3"), "bob's");
        var nobodys = client().claimAndComplete(resumableRequest("key-4"), "nobody's");

        assertThat(erasePerson("eve")).isEqualTo(new ErasureResult(2, 0, false));

        assertThat(client().expectPresent("key-1").outcome()).isEmpty();
        assertThat(client().expectPresent("key-2").outcome()).isEmpty();
        client().expectUnchanged(identity("key-3"), bobs);
        client().expectUnchanged(identity("key-4"), nobodys);
    }

    @Test
    default void whatIsInUseIsLeftAloneAndCounted() {
        var running = client().expectAcquired(about("eve", "key-1"));
        var held = client().claimAndEscalate(about("eve", "key-2"), "the connection broke");
        client().claimAndComplete(about("eve", "key-3"), "done");

        assertThat(erasePerson("eve")).isEqualTo(new ErasureResult(1, 2, false));

        client().expectUnchanged(identity("key-1"), running);
        client().expectUnchanged(identity("key-2"), held);
        assertThat(client().attention()).hasSize(1);
        client().expectWritten(complete(running.claim(), "done"));
        assertThat(erasePerson("eve")).isEqualTo(new ErasureResult(1, 1, false));
    }

    @Test
    default void whatWasReleasedBetweenTwoPhasesIsInUse() {
        var claim = client().expectAcquired(
                        about("eve", "key-1").withStoredRequest(Optional.of(payload("the request"))))
                .claim();
        client().expectWritten(checkpoint(claim, "charge_created", "charge 7"));
        client().expectWritten(new RecordWrite.Release(claim));

        assertThat(erasePerson("eve")).isEqualTo(new ErasureResult(0, 1, false));

        var again = client().expectAcquired(resumableRequest("key-1"));
        assertThat(again.recoveryPoint()).contains("charge_created");
        assertThat(again.carried()).contains(payload("charge 7"));
        assertThat(again.request()).contains(payload("the request"));
    }

    /** The same id, so that whatever it sent before is sent under the same derived keys. */
    @Test
    default void anErasedReleasedRecordIsClaimedUnderTheSameIdByWhoeverAsks() {
        var released = client().claimAndRelease(about("eve", "key-1"));
        assertThat(erasePerson("eve")).isEqualTo(new ErasureResult(1, 0, false));
        assertThat(client().expectPresent("key-1").state()).isEqualTo(RecordState.RELEASED);
        var request = conflictingRequest(about("bob", "key-1")).withStoredRequest(Optional.of(payload("bob pays")));

        var again = client().expectAcquired(request);

        assertThat(again.id()).isEqualTo(released.id());
        assertThat(again.fence()).isEqualTo(2);
        assertThat(again.fingerprint()).contains(request.fingerprint());
        assertThat(again.request()).contains(payload("bob pays"));
        assertThat(client().expectFound(resumableRequest("key-1")).fingerprint())
                .contains(request.fingerprint());
        client().whereAble(
                        RecordCounter.class,
                        counter -> assertThat(counter.countKeys(SCOPE, 10)).isEqualTo(1));
    }

    @Test
    default void whatAnErasedRecordSaysAfterwardsCanBeErasedToo() {
        client().claimAndRelease(about("eve", "key-1"));
        erasePerson("eve");
        client().claimAndComplete(about("eve", "key-1"), "eve paid after all");

        assertThat(erasePerson("eve")).isEqualTo(new ErasureResult(1, 0, false));

        assertThat(client().expectPresent("key-1").outcome()).isEmpty();
    }

    @Test
    default void anErasureIsBoundedAndSaysWhetherThereMayBeMore() {
        for (int i = 0; i < 7; i++) {
            client().claimAndComplete(about("eve", "key-" + i), "done");
        }

        int erased = 0;
        ErasureResult part;
        do {
            part = erase(new ErasureRequest.OfSubject(SCOPE, "eve"), 3);
            assertThat(part.erased()).isLessThanOrEqualTo(3);
            erased += part.erased();
        } while (part.hasMore());

        assertThat(erased).isEqualTo(7);
        assertThat(erasePerson("eve")).isEqualTo(new ErasureResult(0, 0, false));
    }

    @Test
    default void anErasureIsAuditedWithWhoAndWhyButNotWithWhatWasErased() {
        client().claimAndComplete(about("eve@example.org", "key-1"), "done");

        erasePerson("eve@example.org");

        client().whereAble(
                        AuditTrailReader.class,
                        trail -> assertThat(trail.listAuditTrail(10))
                                .singleElement()
                                .satisfies(entry -> {
                                    assertThat(entry.who()).isEqualTo("ann");
                                    assertThat(entry.why()).isEqualTo("asked for it");
                                    assertThat(entry.action()).isNotBlank();
                                    assertThat(entry.toString())
                                            .doesNotContain("eve@example.org")
                                            .doesNotContain(SCOPE);
                                }));
    }

    @Test
    default void aLateCompletionDoesNotBringBackWhatWasErased() {
        var completed = client().claimAndComplete(about("eve", "key-1"), "eve paid");
        erasePerson("eve");

        client().expectRefused(complete(completed.claim(), "eve paid"));

        assertThat(client().expectPresent("key-1").outcome()).isEmpty();
    }

    @Test
    default void aPersonNamedWithANulIsErasedIfTheStoreKeptTheName() {
        var request = resumableRequest("key-1").withSubject(Optional.of("eve\0"));
        if (client().claim(request) instanceof ClaimResponse.Failed) {
            client().expectAbsent("key-1");
        } else {
            client().expectWritten(StoreTestData.complete(
                    client().expectPresent("key-1").claim(), "done"));
            var order = new ErasureRequest(new ErasureRequest.OfSubject(SCOPE, "eve\0"), "ann", "asked for it", 10);
            assertThat(client().eraser().erase(order).erased()).isEqualTo(1);
        }
    }

    @Test
    default void scopesThatLieSideBySideAreCountedAndErasedApart() {
        String ours = NEIGHBOURS.getFirst();
        String theirs = NEIGHBOURS.getLast();
        assertThat(ScopedKey.anyHashOfScope(ours).firstOfScope())
                .isEqualTo(ScopedKey.anyHashOfScope(theirs).firstOfScope());
        for (int i = 0; i < 3; i++) {
            client().claimAndComplete(requestOf(new ScopedKey(ours, NAMESPACE, "key-" + i)), "ours");
        }
        var kept = client().claimAndComplete(requestOf(new ScopedKey(theirs, NAMESPACE, "key-1")), "theirs");

        client().whereAble(
                        RecordCounter.class,
                        counter -> assertThat(counter.countKeys(ours, 10)).isEqualTo(3));
        client().whereAble(
                        RecordCounter.class,
                        counter -> assertThat(counter.countKeys(theirs, 10)).isEqualTo(1));
        var erased = client().eraser()
                .erase(new ErasureRequest(new ErasureRequest.OfScope(ours), "ann", "contract ended", 10));

        assertThat(erased.erased()).isEqualTo(3);
        client().whereAble(
                        RecordCounter.class,
                        counter -> assertThat(counter.countKeys(theirs, 10)).isEqualTo(1));
        client().expectUnchanged(new ScopedKey(theirs, NAMESPACE, "key-1"), kept);
    }

    private static ClaimRequest requestOf(ScopedKey identity) {
        return StoreTestData.request(identity, LeaseExpiryPolicy.RESUME, Retention.of(RETENTION));
    }
}
