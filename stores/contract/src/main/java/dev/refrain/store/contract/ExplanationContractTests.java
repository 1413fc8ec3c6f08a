package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.LEASE;
import static dev.refrain.store.contract.StoreTestData.complete;
import static dev.refrain.store.contract.StoreTestData.heldRequest;
import static dev.refrain.store.contract.StoreTestData.identity;
import static dev.refrain.store.contract.StoreTestData.payload;
import static dev.refrain.store.contract.StoreTestData.resumableRequest;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.RecoveryPoint;
import dev.refrain.api.Retention;
import dev.refrain.api.ScopedKey;
import dev.refrain.api.TraceId;
import dev.refrain.store.AnnouncedCall;
import dev.refrain.store.ClaimAttempt;
import dev.refrain.store.ClaimOrigin;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.RecordExplanation;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.Resolution;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Tests of explanations: a record shows where it comes from, how old it is, which calls it may have sent under which keys, and
 * its attempts.
 */
interface ExplanationContractTests extends StoreContractPart {

    ClaimOrigin FIRST = new ClaimOrigin(
            "POST /payments/{id}",
            Optional.of("alice"),
            Optional.of(new TraceId(0x4bf92f3577b34da6L, 0xa3ce929d0e0e4736L)),
            "web-1",
            List.of("charge", "mail"));

    ClaimOrigin SECOND = new ClaimOrigin(
            "POST /payments", Optional.of("bob"), Optional.of(new TraceId(1, 2)), "web-2", List.of("charge", "mail"));

    private RecordExplanation explained(String key) {
        return client().store().explain(identity(key)).orElseThrow(() -> new AssertionError(key + " is absent"));
    }

    private ClaimRef claim(ClaimRequest request) {
        return client().expectAcquired(request).claim();
    }

    private static void assertAged(RecordExplanation explanation, Duration least) {
        assertThat(explanation.age()).isBetween(least, least.plus(StoreTestData.SLACK));
    }

    @Test
    default void recordExplainsWhereItComesFrom() {
        var claim = claim(heldRequest("key-1").withOrigin(FIRST));
        client().advanceTime(Duration.ofHours(2));

        var explained = explained("key-1");
        assertThat(explained.operation()).contains("POST /payments/{id}");
        assertThat(explained.caller()).contains("alice");
        assertThat(explained.traceId()).isEqualTo(FIRST.traceId());
        assertThat(explained.recoveryPoint()).isEmpty();
        assertAged(explained, Duration.ofHours(2));
        assertThat(explained.calls())
                .containsExactly(
                        AnnouncedCall.of(claim.id(), "charge", null), AnnouncedCall.of(claim.id(), "mail", null));
    }

    @Test
    default void recordOfUnknownOriginExplainsWhatItCan() {
        claim(resumableRequest("key-1"));

        var explained = explained("key-1");
        assertThat(explained.operation()).isEmpty();
        assertThat(explained.caller()).isEmpty();
        assertThat(explained.traceId()).isEmpty();
        assertThat(explained.calls()).isEmpty();
        assertThat(explained.attempts()).hasSize(1);
    }

    @Test
    default void firstAttemptRunsUntilItIsCompleted() {
        var claim = claim(resumableRequest("key-1").withOrigin(FIRST));
        assertThat(explained("key-1").attempts()).singleElement().satisfies(attempt -> {
            assertThat(attempt.fence()).isEqualTo(1);
            assertThat(attempt.began()).isPresent();
            assertThat(attempt.ended()).isEmpty();
            assertThat(attempt.endReason()).isEmpty();
        });

        client().expectWritten(complete(claim, "done"));
        assertThat(explained("key-1").attempts()).singleElement().satisfies(attempt -> {
            assertThat(attempt.traceId()).isEqualTo(FIRST.traceId());
            assertThat(attempt.ended()).isPresent();
            assertThat(attempt.endReason()).contains("completed");
        });
    }

    @Test
    default void retryIsAnAttemptAndTheRecordKeepsItsOrigin() {
        var first = claim(resumableRequest("key-1").withOrigin(FIRST));
        client().expectWritten(new RecordWrite.Release(first, Duration.ZERO, "threw IOException"));
        client().advanceTime(Duration.ofHours(1));
        var second = claim(resumableRequest("key-1").withOrigin(SECOND));

        var explained = explained("key-1");
        assertThat(explained.operation()).contains("POST /payments/{id}");
        assertThat(explained.caller()).contains("alice");
        assertThat(explained.traceId()).isEqualTo(FIRST.traceId());
        assertAged(explained, Duration.ofHours(1));
        assertThat(explained.attempts()).extracting(ClaimAttempt::fence).containsExactly(1L, 2L);
        var ended = explained.attempts().getFirst();
        assertThat(ended.endReason()).contains("released: threw IOException");
        assertThat(Duration.between(ended.began().orElseThrow(), ended.ended().orElseThrow()))
                .isBetween(Duration.ZERO, StoreTestData.SLACK);
        var running = explained.attempts().getLast();
        assertThat(running.instance()).contains("web-2");
        assertThat(running.traceId()).isEqualTo(SECOND.traceId());
        assertThat(running.began().orElseThrow()).isAfter(ended.ended().orElseThrow());
        assertThat(running.ended()).isEmpty();

        client().expectWritten(complete(second, "done"));
        assertThat(explained("key-1").attempts().getLast().endReason()).contains("completed");
    }

    @Test
    default void attemptWhoseLeaseEndedSaysSoWhoeverFindsIt() {
        claim(resumableRequest("taken over"));
        claim(resumableRequest("swept"));
        client().advanceTime(LEASE.plusSeconds(1));
        assertThat(explained("swept").attempts().getFirst().endReason()).contains("lease ended");
        claim(resumableRequest("taken over").withOrigin(SECOND));
        client().store().sweep(Duration.ZERO, 10);
        claim(resumableRequest("swept").withOrigin(SECOND));

        for (String key : List.of("taken over", "swept")) {
            var attempts = explained(key).attempts();
            assertThat(attempts).as(key).hasSize(2);
            assertThat(attempts.getFirst().endReason()).as(key).contains("lease ended");
            assertThat(Duration.between(
                            attempts.getFirst().began().orElseThrow(),
                            attempts.getFirst().ended().orElseThrow()))
                    .as(key)
                    .isBetween(LEASE.minusSeconds(5), LEASE.plusSeconds(5));
            assertThat(attempts.getLast().instance()).as(key).contains("web-2");
        }
    }

    @Test
    default void recordInAttentionIsListedWithItsExplanation() {
        var claim = claim(heldRequest("key-1").withOrigin(FIRST));
        client().advanceTime(Duration.ofHours(1));
        client().expectWritten(new RecordWrite.Renew(claim, LEASE));
        client().expectWritten(new RecordWrite.Escalate(claim, "the connection broke"));
        client().advanceTime(Duration.ofHours(1));

        assertThat(client().attention()).singleElement().satisfies(item -> {
            assertAged(item.explanation(), Duration.ofHours(2));
            assertThat(item.explanation().operation()).contains("POST /payments/{id}");
            assertThat(item.explanation().caller()).contains("alice");
            assertThat(item.explanation().calls())
                    .extracting(AnnouncedCall::derivedKey)
                    .contains(claim.id().keyFor("charge"));
            assertThat(item.explanation().attempts()).singleElement().satisfies(attempt -> {
                assertThat(attempt.endReason()).contains("outcome unknown: the connection broke");
                assertThat(attempt.ended()).contains(item.since());
            });
        });
    }

    @Test
    default void stepThatIsAddedDuringTheFirstRunIsNamedByItsRecord() {
        var claim = claim(heldRequest("key-1").withOrigin(ClaimOrigin.of("first-of-its-kind")));
        assertThat(explained("key-1").calls()).isEmpty();

        client().store().addSteps(ClaimOrigin.of("first-of-its-kind").withSteps(List.of("charge")));

        assertThat(explained("key-1").calls())
                .extracting(AnnouncedCall::derivedKey)
                .containsExactly(claim.id().keyFor("charge"));
    }

    @Test
    default void stepsWithDataInTheirNamesAreNotListed() {
        claim(heldRequest("key-1").withOrigin(ClaimOrigin.of("refunds")));
        for (int i = 0; i <= ClaimOrigin.MAX_STEPS; i++) {
            client().store().addSteps(ClaimOrigin.of("refunds").withSteps(List.of("refund-" + i)));
        }

        assertThat(explained("key-1").calls()).as("most would be wrong").isEmpty();
    }

    @Test
    default void attemptThatWasDecidedAboutIsRemembered() {
        var claim = claim(heldRequest("key-1").withOrigin(FIRST));
        client().expectWritten(new RecordWrite.Escalate(claim, "the connection broke"));
        client().resolve(claim, new Resolution.RunAgain());
        claim(heldRequest("key-1").withOrigin(SECOND));

        var attempts = explained("key-1").attempts();
        assertThat(attempts).extracting(ClaimAttempt::fence).containsExactly(1L, 3L);
        assertThat(attempts.getFirst().endReason()).contains("outcome unknown: the connection broke");
        assertThat(attempts.getFirst().ended()).isPresent();
    }

    @Test
    default void announcedCallOfAFlowIsNamedWithItsKeyAndSinceWhen() {
        var claim = claim(resumableRequest("key-1")
                .withStoredRequest(payload("the request"))
                .withOrigin(FIRST));
        assertThat(explained("key-1").calls()).as("nothing is announced").isEmpty();

        client().expectWritten(new RecordWrite.Checkpoint(
                claim, RecoveryPoint.withCallAnnounced("charge"), Optional.empty(), Optional.empty()));
        var announced = explained("key-1");
        assertThat(announced.recoveryPoint()).contains(RecoveryPoint.withCallAnnounced("charge"));
        assertThat(announced.calls()).singleElement().satisfies(call -> {
            assertThat(call.step()).isEqualTo("charge");
            assertThat(call.derivedKey()).isEqualTo(claim.id().keyFor("charge"));
            assertThat(call.announcedAt()).isPresent();
        });
        assertThat(client().expectPresent("key-1").recoveryPoint()).contains(RecoveryPoint.withCallAnnounced("charge"));

        client().expectWritten(new RecordWrite.Checkpoint(
                claim, RecoveryPoint.reached("receipt"), Optional.empty(), Optional.empty()));
        assertThat(explained("key-1").calls()).as("it was answered").isEmpty();
    }

    @Test
    default void firstAndTheLatestAttemptsAreKept() {
        int tries = ClaimAttempt.KEPT + 10;
        for (int i = 1; i <= tries; i++) {
            var claim = claim(resumableRequest("key-1").withOrigin(SECOND));
            client().expectWritten(new RecordWrite.Release(claim));
        }

        var fences =
                explained("key-1").attempts().stream().map(ClaimAttempt::fence).toList();
        assertThat(fences).startsWith(1L).endsWith((long) tries).hasSizeLessThanOrEqualTo(ClaimAttempt.KEPT + 1);
    }

    @Test
    default void recordMadeAnewExplainsItselfAnew() {
        var week = Duration.ofDays(7);
        var first = claim(StoreTestData.requestWithRetention(Retention.of(Duration.ofHours(2)), "key-1")
                .withOrigin(FIRST));
        client().expectWritten(new RecordWrite.Release(first, Duration.ZERO, "threw IOException"));
        client().advanceTime(week);
        assertThat(client().store().explain(identity("key-1"))).isEmpty();
        claim(resumableRequest("key-1").withOrigin(SECOND));

        var explained = explained("key-1");
        assertThat(explained.operation()).contains("POST /payments");
        assertThat(explained.caller()).contains("bob");
        assertAged(explained, Duration.ZERO);
        assertThat(explained.attempts())
                .singleElement()
                .satisfies(attempt -> assertThat(attempt.fence()).isEqualTo(1));
    }

    @Test
    default void nothingIsExplainedOfAnAbsentOrAnothersRecord() {
        claim(resumableRequest("key-1").withOrigin(FIRST));

        assertThat(client().store().explain(identity("key-2"))).isEmpty();
        assertThat(client().store()
                        .explain(new ScopedKey(
                                "tenant-2",
                                identity("key-1").namespace(),
                                identity("key-1").key())))
                .isEmpty();
    }
}
