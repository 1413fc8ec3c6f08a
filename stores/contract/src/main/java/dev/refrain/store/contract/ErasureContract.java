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
import dev.refrain.api.RecoveryPoint;
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
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Suite of the ability {@link dev.refrain.store.RecordEraser}: the data of a scope or a person can be erased, and a payment whose
 * data was erased still never runs again.
 */
public interface ErasureContract extends StoreContractPart {

    private static ClaimRequest about(String person, String key) {
        return resumableRequest(key).withSubject(person);
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
    default void erasedRecordSaysNothingAndIsStillDone() {
        var request = about("eve", "key-1").withStoredRequest(payload("eve pays"));
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
    default void erasedPaymentIsNeverPaidAgainWhateverIsAsked() {
        client().claimAndComplete(resumableRequest("key-1"), "paid");
        eraseScope();

        assertThat(client().expectFound(resumableRequest("key-1")).state()).isEqualTo(RecordState.COMPLETED);
        assertThat(client().expectFound(conflictingRequest(resumableRequest("key-1")))
                        .state())
                .isEqualTo(RecordState.COMPLETED);
        assertThat(client().expectPresent("key-1").outcome()).isEmpty();
    }

    @Test
    default void erasedRecordExpiresAndIsReapedLikeAnyOther() {
        client().claimAndComplete(resumableRequest("key-1"), "paid");
        eraseScope();
        client().advanceTime(RETENTION);

        client().expectAbsent("key-1");
        client().expectReaped(1, client().store().reap(10));
        assertThat(client().expectAcquired(resumableRequest("key-1")).fence()).isEqualTo(1);
    }

    @Test
    default void onlyTheScopesOwnRecordsAreErased() {
        var theirs = StoreTestData.request(
                new ScopedKey("tenant-2", "payments.create", "key-1"),
                LeaseExpiryPolicy.RESUME,
                Retention.of(RETENTION));
        var kept = client().claimAndComplete(theirs.withSubject("eve"), "theirs");
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
    default void recordInUseIsLeftAloneAndCounted() {
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
    default void recordReleasedBetweenTwoPhasesIsInUse() {
        var claim = client().expectAcquired(about("eve", "key-1").withStoredRequest(payload("the request")))
                .claim();
        client().expectWritten(checkpoint(claim, "charge_created", "charge 7"));
        client().expectWritten(new RecordWrite.Release(claim));

        assertThat(erasePerson("eve")).isEqualTo(new ErasureResult(0, 1, false));

        var again = client().expectAcquired(resumableRequest("key-1"));
        assertThat(again.recoveryPoint()).contains(RecoveryPoint.reached("charge_created"));
        assertThat(again.carried()).contains(payload("charge 7"));
        assertThat(again.request()).contains(payload("the request"));
    }

    @Test
    default void erasedRecordForgetsWhoSentItAndInWhichTrace() {
        var origin = ExplanationContractTests.FIRST;
        var claim = client().expectAcquired(about("eve", "key-1").withOrigin(origin))
                .claim();
        client().expectWritten(new RecordWrite.Release(claim, Duration.ZERO, "threw IOException"));

        assertThat(erasePerson("eve")).isEqualTo(new ErasureResult(1, 0, false));

        assertThat(client().store().explain(identity("key-1"))).isEmpty();
        client().expectAcquired(resumableRequest("key-1").withOrigin(ExplanationContractTests.SECOND));
        var explained = client().store().explain(identity("key-1")).orElseThrow();
        assertThat(explained.caller()).contains("bob");
        assertThat(explained.traceId()).isEqualTo(ExplanationContractTests.SECOND.traceId());
        assertThat(explained.attempts().getFirst().traceId()).isNotEqualTo(origin.traceId());
        assertThat(explained.attempts().getFirst().endReason()).contains("released");
    }

    /** The id stays the same, so that calls are resent under the same derived keys. */
    @Test
    default void erasedReleasedRecordIsClaimedUnderTheSameIdByWhoeverAsks() {
        var released = client().claimAndRelease(about("eve", "key-1"));
        assertThat(erasePerson("eve")).isEqualTo(new ErasureResult(1, 0, false));
        assertThat(client().expectPresent("key-1").state()).isEqualTo(RecordState.RELEASED);
        var request = conflictingRequest(about("bob", "key-1")).withStoredRequest(payload("bob pays"));

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
    default void outcomeWrittenAfterAnErasureCanBeErasedToo() {
        client().claimAndRelease(about("eve", "key-1"));
        erasePerson("eve");
        client().claimAndComplete(about("eve", "key-1"), "eve paid after all");

        assertThat(erasePerson("eve")).isEqualTo(new ErasureResult(1, 0, false));

        assertThat(client().expectPresent("key-1").outcome()).isEmpty();
    }

    @Test
    default void erasureIsBoundedAndSaysWhetherThereMayBeMore() {
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
    default void erasureIsAuditedWithWhoAndWhyButNotWithWhatWasErased() {
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
    default void lateCompletionDoesNotBringBackWhatWasErased() {
        var completed = client().claimAndComplete(about("eve", "key-1"), "eve paid");
        erasePerson("eve");

        client().expectRefused(complete(completed.claim(), "eve paid"));

        assertThat(client().expectPresent("key-1").outcome()).isEmpty();
    }

    @Test
    default void personNamedWithANulIsErasedIfTheStoreKeptTheName() {
        var request = resumableRequest("key-1").withSubject("eve\0");
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
