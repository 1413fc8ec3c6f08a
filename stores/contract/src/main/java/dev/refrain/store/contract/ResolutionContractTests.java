package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.complete;
import static dev.refrain.store.contract.StoreTestData.heldRequest;
import static dev.refrain.store.contract.StoreTestData.identity;
import static dev.refrain.store.contract.StoreTestData.payload;
import static dev.refrain.store.contract.StoreTestData.resumableRequest;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.RecordId;
import dev.refrain.store.AuditTrailReader;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Resolution;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * Tests of resolving: a person, a rule or the reconciler resolves a record in attention; the fence rises by one, the resolution
 * is audited, and it applies only to the record as they saw it.
 */
interface ResolutionContractTests extends StoreContractPart {

    private RecordWriteResponse resolve(ClaimRef claim) {
        return client().store().resolve(new Resolution(claim, new Resolution.RunAgain(), "ann", "asked the bank"));
    }

    @Test
    default void recordThatTookEffectIsCompletedWithItsOutcomeUnderTheNextFence() {
        var held = client().claimAndEscalate(heldRequest("key-1"), "the connection broke");

        client().resolve(held.claim(), new Resolution.Done(payload("found at the bank")));

        var completed = client().expectFound(heldRequest("key-1"));
        assertThat(completed.state()).isEqualTo(RecordState.COMPLETED);
        assertThat(completed.outcome()).contains(payload("found at the bank"));
        assertThat(completed.id()).isEqualTo(held.id());
        assertThat(completed.fence()).isEqualTo(held.fence() + 1);
        assertThat(client().attention()).isEmpty();
    }

    @Test
    default void recordThatTookEffectMayBeCompletedWithItsStateAlone() {
        var held = client().claimAndEscalate(heldRequest("key-1"), "the connection broke");

        client().resolve(held.claim(), new Resolution.Done(null));

        assertThat(client().expectFound(heldRequest("key-1")).state()).isEqualTo(RecordState.COMPLETED);
        assertThat(client().expectFound(heldRequest("key-1")).outcome()).isEmpty();
    }

    @Test
    default void recordResolvedToRunAgainIsReleasedUnderTheNextFenceAndKeepsItsId() {
        var held = client().claimAndEscalate(heldRequest("key-1"), "the connection broke");

        client().resolve(held.claim(), new Resolution.RunAgain());

        var released = client().expectPresent("key-1");
        assertThat(released.state()).isEqualTo(RecordState.RELEASED);
        assertThat(released.fence()).isEqualTo(2);
        assertThat(client().attention()).isEmpty();
        var again = client().expectAcquired(heldRequest("key-1"));
        assertThat(again.id()).isEqualTo(held.id());
        assertThat(again.fence()).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource(SampleWrite.class)
    default void lateRunnerWritesNothingAfterAResolution(SampleWrite kind) {
        var late = client().claimAndEscalate(heldRequest("key-1"), "the connection broke")
                .claim();
        client().resolve(late, new Resolution.Done(payload("found at the bank")));
        var settled = client().expectPresent("key-1");

        var told = client().expectRefused(kind.of(late));

        assertThat(told.orElseThrow().outcome()).contains(payload("found at the bank"));
        client().expectUnchanged(identity("key-1"), settled);
    }

    @ParameterizedTest
    @EnumSource(SampleWrite.class)
    default void lateRunnerWritesNothingAfterItWasDecidedToRunAgain(SampleWrite kind) {
        var late = client().claimAndEscalate(heldRequest("key-1"), "the connection broke")
                .claim();
        client().resolve(late, new Resolution.RunAgain());
        var settled = client().expectPresent("key-1");

        client().expectRefused(kind.of(late));

        client().expectUnchanged(identity("key-1"), settled);
    }

    @ParameterizedTest
    @EnumSource(value = SampleRecord.class, mode = Mode.EXCLUDE, names = "ATTENTION")
    default void onlyWhatIsInAttentionIsResolved(SampleRecord situation) {
        var before = situation.create(client(), "key-1");

        var told = StoreTestClient.expectRefused(resolve(before.claim()));

        StoreTestClient.assertSameRecord(told.orElseThrow(), before);
        client().expectUnchanged(identity("key-1"), before);
        client().whereAble(
                        AuditTrailReader.class,
                        trail -> assertThat(trail.listAuditTrail(10)).isEmpty());
    }

    @Test
    default void recordThatMovedOnSinceItWasLookedAtIsNotResolved() {
        var looked = client().claimAndEscalate(heldRequest("key-1"), "the connection broke");
        client().resolve(looked.claim(), new Resolution.RunAgain());
        var now = client().claimAndEscalate(heldRequest("key-1"), "it broke again");

        var told = StoreTestClient.expectRefused(resolve(looked.claim()));

        StoreTestClient.assertSameRecord(told.orElseThrow(), now);
        client().expectUnchanged(identity("key-1"), now);
        client().whereAble(
                        AuditTrailReader.class,
                        trail -> assertThat(trail.listAuditTrail(10)).hasSize(1));
    }

    @Test
    default void recordUnderAnotherIdIsNotResolved() {
        var held = client().claimAndEscalate(heldRequest("key-1"), "the connection broke");

        StoreTestClient.expectRefused(
                resolve(new ClaimRef(held.lookup(), new RecordId(UUID.randomUUID()), held.fence())));

        client().expectUnchanged(identity("key-1"), held);
    }

    @Test
    default void absentRecordIsNotResolved() {
        var nowhere = new ClaimRef(identity("key-1").hash(), new RecordId(UUID.randomUUID()), 1);

        assertThat(StoreTestClient.expectRefused(resolve(nowhere))).isEmpty();

        client().expectAbsent("key-1");
        client().whereAble(
                        AuditTrailReader.class,
                        trail -> assertThat(trail.listAuditTrail(10)).isEmpty());
    }

    @Test
    default void recordCompletedByItsLateRunnerIsNotResolved() {
        var held = client().claimAndEscalate(heldRequest("key-1"), "the connection broke");
        client().expectWritten(complete(held.claim(), "it went through"));

        var told = StoreTestClient.expectRefused(resolve(held.claim()));

        assertThat(told.orElseThrow().outcome()).contains(payload("it went through"));
        assertThat(client().expectFound(resumableRequest("key-1")).state()).isEqualTo(RecordState.COMPLETED);
    }
}
