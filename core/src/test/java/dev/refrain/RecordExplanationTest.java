package dev.refrain;

import static dev.refrain.testing.AwaitCondition.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.EffectUnknownException;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.RecoveryPoint;
import dev.refrain.api.ScopedKey;
import dev.refrain.api.TraceId;
import dev.refrain.observe.TraceIdSource;
import dev.refrain.store.AnnouncedCall;
import dev.refrain.store.ClaimOrigin;
import dev.refrain.store.RecordExplanation;
import dev.refrain.store.memory.MemoryStore;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The origin that the engine passes to the store with a claim, and the explanation that people read. */
class RecordExplanationTest {

    private static final TraceId TRACE = new TraceId(0x4bf92f3577b34da6L, 0xa3ce929d0e0e4736L);

    private final MemoryStore store = new MemoryStore();
    private Optional<TraceId> currentTrace = Optional.empty();
    private final TraceIdSource traces = () -> currentTrace;
    private final Refrain refrain = Refrain.using(
            store, RefrainSettings.defaults().instanceName("web-1").with(traces));
    private final LeasedOperation<String> pay =
            refrain.operation("payments.create", String.class).leased(LeaseExpiryPolicy.RESUME);

    private RecordExplanation explained(String key) {
        return refrain.admin()
                .explain(new ScopedKey("acme", "payments.create", key))
                .orElseThrow();
    }

    private static OperationCall call(String key) {
        return OperationCall.scope("acme").key(key).request("10");
    }

    @Test
    void recordSaysItsOperationUnlessTheCallHasANameOfItsOwn() {
        pay.run(call("plain"), claim -> "paid");
        pay.run(call("named").withOperationName("POST /payments/{id}").withCaller("alice"), claim -> "paid");
        pay.run(call("own").withCaller("acme"), claim -> "paid");

        assertThat(explained("plain").operation()).contains("payments.create");
        assertThat(explained("named").operation()).contains("POST /payments/{id}");
        assertThat(explained("named").caller()).contains("alice");
        assertThat(explained("own").caller()).as("the scope says it").isEmpty();
    }

    @Test
    void recordSaysTheTraceOfItsCallOrElseTheCurrentOne() {
        pay.run(call("of-the-call").withTraceId(TRACE), claim -> "paid");
        currentTrace = Optional.of(new TraceId(1, 2));
        pay.run(call("of-the-thread"), claim -> "paid");

        assertThat(explained("of-the-call").traceId()).contains(TRACE);
        assertThat(explained("of-the-thread").traceId()).contains(new TraceId(1, 2));
    }

    @Test
    void releasedAttemptSaysWhatWasThrownAndTheNextOneItsInstance() {
        assertThatThrownBy(() -> pay.run(call("k"), claim -> {
                    throw new IOException("the card 4242 was declined");
                }))
                .isInstanceOf(IOException.class);
        pay.run(call("k"), claim -> "paid");

        var attempts = explained("k").attempts();
        assertThat(attempts).hasSize(2);
        assertThat(attempts.getFirst().endReason()).contains("released: threw java.io.IOException");
        assertThat(attempts.getLast().instance()).contains("web-1");
        assertThat(attempts.getLast().endReason()).contains("completed");
    }

    @Test
    void keyInAttentionNamesTheDerivedKeysItsOperationAsksFor() {
        pay.run(call("before"), claim -> claim.derivedKey("charge"));

        assertThatThrownBy(() -> pay.run(call("k"), claim -> {
                    claim.derivedKey("charge");
                    throw new EffectUnknownException("the connection broke", null);
                }))
                .isNotNull();

        var item = refrain.admin().listAttention(10).getFirst();
        assertThat(item.explanation().calls()).singleElement().satisfies(call -> {
            assertThat(call.step()).isEqualTo("charge");
            assertThat(call.derivedKey()).isEqualTo(item.claim().id().keyFor("charge"));
        });
    }

    @Test
    void stepsThatAreKnownBeforeItRunsAreNamedByTheFirstRecord() {
        pay.run(call("first").withSteps(List.of("upstream")), claim -> "paid");

        assertThat(explained("first").calls()).extracting(AnnouncedCall::step).containsExactly("upstream");
    }

    @Test
    void firstRunOfAnOperationNamesTheStepsItAskedFor() {
        assertThatThrownBy(() -> pay.run(call("first"), claim -> {
                    claim.derivedKey("charge");
                    throw new EffectUnknownException("the connection broke", null);
                }))
                .isNotNull();

        until(() -> !explained("first").calls().isEmpty());
        assertThat(explained("first").calls()).extracting(AnnouncedCall::step).containsExactly("charge");
    }

    @Test
    void stepsWithDataInTheirNamesAreNotListed() {
        for (int i = 0; i <= ClaimOrigin.MAX_STEPS; i++) {
            int order = i;
            pay.run(call("k" + i), claim -> claim.derivedKey("refund-" + order));
        }
        pay.run(call("last"), claim -> "paid");

        assertThat(explained("last").calls()).as("most would be wrong").isEmpty();
    }

    @Test
    void originNeverFailsAClaim() {
        var origin = new ClaimOrigin(
                "POST /\0pay", Optional.of("al\nice\ud800"), Optional.empty(), "x".repeat(5_000), List.of("a\nb"));

        assertThat(origin.operation()).isEqualTo("POST /?pay");
        assertThat(origin.caller()).contains("al?ice?");
        assertThat(origin.instance()).hasSize(ClaimOrigin.MAX_LENGTH);
        assertThat(origin.steps()).containsExactly("a?b");
    }

    @Test
    void traceIsReadFromItsHeaderAndFromNothingElse() {
        assertThat(TraceId.ofTraceparent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"))
                .contains(TRACE);
        assertThat(TRACE).hasToString("4bf92f3577b34da6a3ce929d0e0e4736");
        for (String none : List.of(
                "",
                "00",
                "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e473g-00f067aa0ba902b7-01",
                "00-00000000000000000000000000000000-00f067aa0ba902b7-01")) {
            assertThat(TraceId.ofTraceparent(none)).as(none).isEmpty();
        }
    }

    @Test
    void recoveryPointWhoseNameLooksLikeTheStoredMarkIsRefused() {
        assertThatThrownBy(() -> RecoveryPoint.reached("charge!"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Use another name");
    }
}
