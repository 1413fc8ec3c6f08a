package dev.refrain.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.LeasedOperation;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.api.AnswerHeader;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import dev.refrain.api.ReplayedFailureException;
import dev.refrain.store.memory.MemoryStore;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What profiles mean to an operation that runs. */
class OutcomeProfileRunTest {

    private static final String SCOPE = "tenant";

    private final Refrain refrain = Refrain.using(new MemoryStore());
    private final AtomicInteger effects = new AtomicInteger();

    @AfterEach
    void close() {
        refrain.close();
    }

    /** For each profile: some answers that are kept, some that are not, and whether exceptions are. */
    static Stream<Arguments> rows() {
        return Stream.of(
                Arguments.of(
                        OutcomeProfile.DEFAULT,
                        List.of(200, 204, 303, 400, 404, 422),
                        List.of(500, 503, 408, 409, 425, 429),
                        false),
                Arguments.of(OutcomeProfile.STRIPE, List.of(200, 400, 409, 500, 503), List.of(429), true),
                Arguments.of(OutcomeProfile.SQUARE, List.of(200, 400, 409, 429), List.of(303, 500, 503), false),
                Arguments.of(OutcomeProfile.SUCCESS_ONLY, List.of(200, 204), List.of(303, 400, 500), false),
                Arguments.of(OutcomeProfile.ADYEN, List.of(200, 400, 429, 500), List.of(), true));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void answerThatTheProfileKeepsIsReplayedAndAnyOtherRunsAgain(
            OutcomeProfile profile, List<Integer> kept, List<Integer> notKept, boolean keepsExceptions) {
        var raw = refrain.operation("raw").outcomeRule(profile.rule()).leased(LeaseExpiryPolicy.RESUME);
        for (int status : kept) {
            assertThat(timesRun(raw, "kept-" + status, status))
                    .as("%s keeps %s", profile, status)
                    .isEqualTo(1);
        }
        for (int status : notKept) {
            assertThat(timesRun(raw, "not-" + status, status))
                    .as("%s does not keep %s", profile, status)
                    .isEqualTo(2);
        }
        assertThat(timesThrown(raw)).isEqualTo(keepsExceptions ? 1 : 2);
    }

    private int timesRun(LeasedOperation<Outcome.Answer> raw, String key, int status) {
        effects.set(0);
        for (int i = 0; i < 2; i++) {
            var answer = raw.run(OperationCall.scope(SCOPE).key(key).request("x"), claim -> {
                effects.incrementAndGet();
                return Outcome.Answer.of(status, new byte[0]);
            });
            assertThat(answer.status()).isEqualTo(status);
        }
        return effects.get();
    }

    private int timesThrown(LeasedOperation<Outcome.Answer> raw) {
        effects.set(0);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() ->
                            raw.run(OperationCall.scope(SCOPE).key("thrown").request("x"), claim -> {
                                effects.incrementAndGet();
                                throw new IllegalStateException("boom");
                            }))
                    .isInstanceOfAny(IllegalStateException.class, ReplayedFailureException.class);
        }
        return effects.get();
    }

    @Test
    void adyenRunsATransientAnswerAgain() {
        var raw = refrain.operation("raw")
                .outcomeRule(OutcomeProfile.ADYEN.rule())
                .leased(LeaseExpiryPolicy.RESUME);
        var transientError =
                new Outcome.Answer(500, List.of(new AnswerHeader("Transient-Error", "true")), Payload.of(new byte[0]));
        for (int i = 0; i < 2; i++) {
            raw.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> {
                effects.incrementAndGet();
                return transientError;
            });
        }
        assertThat(effects).hasValue(2);
    }
}
