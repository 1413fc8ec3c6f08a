package dev.refrain;

import static dev.refrain.testing.SharedStoreFixture.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.AnswerHeader;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.api.OutcomeNotKeptException;
import dev.refrain.api.Payload;
import dev.refrain.api.UnreadableOutcomeException;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.store.RecordState;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a retry is given of an answer, and what if that cannot be kept or read. */
class StoredAnswerTest extends LeasedPaymentTestBase {

    static Stream<Outcome.Answer> answers() {
        return Stream.of(
                Outcome.Answer.of(204, new byte[0]),
                Outcome.Answer.of(200, new byte[0]),
                Outcome.Answer.of(200, new byte[] {0, (byte) 0xFF, (byte) 0xC3, 0x28}),
                Outcome.Answer.of(406, "no such format".getBytes(StandardCharsets.UTF_8)),
                new Outcome.Answer(
                        303,
                        List.of(
                                new AnswerHeader("Location", "/p/1"),
                                new AnswerHeader("Link", "a"),
                                new AnswerHeader("Link", "b")),
                        Payload.of(new byte[] {1})));
    }

    @ParameterizedTest
    @MethodSource("answers")
    void rawAnswerIsReplayedByteForByte(Outcome.Answer answer) {
        var raw = refrain.operation("raw").leased(LeaseExpiryPolicy.RESUME);
        LeasedWork<Outcome.Answer, RuntimeException> work = claim -> {
            effects.incrementAndGet();
            return answer;
        };

        assertThat(raw.runForResult(OperationCall.scope(SCOPE).key("key-1").request("x"), work))
                .isEqualTo(new OperationResult.Ran(answer));
        var id = world.record("raw", "key-1").orElseThrow().id();
        assertThat(raw.runForResult(OperationCall.scope(SCOPE).key("key-1").request("x"), work))
                .isEqualTo(new OperationResult.Replayed(id, answer, false));
        assertThat(raw.run(OperationCall.scope(SCOPE).key("key-1").request("x"), work))
                .isEqualTo(answer);
        assertThat(effects).hasValue(1);
    }

    @Test
    void workThatGivesNothingGivesNothingAgainAndDoesNotRun() {
        for (var codec : List.of(ValueCodec.standard(), new TextOnlyCodec())) {
            var own = world.process(world.settings().with(codec));
            var erase = own.operation("erase-" + codec.getClass().getSimpleName(), Void.class)
                    .leased(LeaseExpiryPolicy.RESUME);
            effects.set(0);

            for (int i = 0; i < 3; i++) {
                assertThat(erase.<RuntimeException>run(
                                OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> {
                                    effects.incrementAndGet();
                                    return null;
                                }))
                        .isNull();
            }
            assertThat(effects).hasValue(1);
        }
    }

    /** A codec that would trip over a null. */
    private static final class TextOnlyCodec implements ValueCodec {
        @Override
        public byte[] encode(Object value) {
            return value.toString().getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public Object decode(byte[] bytes, Type type) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    @ParameterizedTest
    @EnumSource(LeaseExpiryPolicy.class)
    void rawWorkThatGivesNullHasFailed(LeaseExpiryPolicy takeOver) {
        var raw = refrain.operation("raw").leased(takeOver);

        assertThatThrownBy(() -> raw.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> null))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("raw: the work returned null");
        assertThat(world.state("raw", "key-1"))
                .isEqualTo(takeOver == LeaseExpiryPolicy.RESUME ? RecordState.RELEASED : RecordState.COMPLETED);
    }

    @Test
    void valueThatCannotBeEncodedIsGivenToItsCallerAndNeverRunsAgain() {
        record Secretive() {
            @SuppressWarnings("unused")
            public String getSecret() {
                throw new IllegalStateException("4111 1111 1111 1111");
            }
        }
        var odd = refrain.operation("odd", Secretive.class).leased(LeaseExpiryPolicy.RESUME);
        var missing = world.process(world.settings().with(new MissingClassCodec()))
                .operation("missing", String.class)
                .leased(LeaseExpiryPolicy.RESUME);

        assertThat(missing.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> "done"))
                .isEqualTo("done");
        assertThatThrownBy(() ->
                        missing.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> "twice"))
                .isInstanceOf(OutcomeNotKeptException.class);

        assertThat(odd.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> {
                    effects.incrementAndGet();
                    return new Secretive();
                }))
                .isEqualTo(new Secretive());
        assertThatThrownBy(
                        () -> odd.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> new Secretive()))
                .isInstanceOf(OutcomeNotKeptException.class);
        assertThat(effects).hasValue(1);
        assertThat(world.events.of(RefrainEvent.OutcomeNotKept.class))
                .hasSize(2)
                .allSatisfy(e -> assertThat(e.reason())
                        .startsWith("Its value could not be encoded: ")
                        .doesNotContain("4111"));
    }

    /** A codec whose library is not complete. */
    private static final class MissingClassCodec implements ValueCodec {
        @Override
        public byte[] encode(Object value) {
            throw new NoClassDefFoundError("com/example/Module");
        }

        @Override
        public Object decode(byte[] bytes, Type type) {
            throw new AssertionError("nothing was encoded");
        }
    }

    @Test
    void unreadableStoredAnswerIsReportedAndDoesNotRun() {
        refrain.operation("pay", String.class)
                .leased(LeaseExpiryPolicy.RESUME)
                .run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> "text");

        assertThatThrownBy(() -> pay.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> charge()))
                .isInstanceOf(UnreadableOutcomeException.class)
                .hasMessageContaining("pay was completed under this key")
                .hasMessageNotContaining("text");
        assertThat(effects).hasValue(0);
    }

    @Test
    void answerOverTheSizeLimitReachesItsCallerAndNeverFreesTheKey() {
        var small = refrain.operation("small").maxOutcomeBytes(100).leased(LeaseExpiryPolicy.RESUME);
        for (int size : new int[] {95, 1_000}) {
            var answer = Outcome.Answer.of(200, new byte[size]);
            String key = "key-" + size;

            assertThat(small.run(OperationCall.scope(SCOPE).key(key).request("x"), claim -> answer))
                    .isEqualTo(answer);
            assertThat(small.runForResult(OperationCall.scope(SCOPE).key(key).request("x"), claim -> answer))
                    .isInstanceOfSatisfying(
                            OperationResult.Replayed.class,
                            replayed -> assertThat(replayed.outcome()).isEqualTo(new Outcome.StateOnly()));
        }
        assertThat(world.events.of(RefrainEvent.OutcomeNotKept.class))
                .extracting(RefrainEvent.OutcomeNotKept::reason)
                .containsExactly(
                        "It has 102 bytes, and at most 100 are kept.", "It has 1000 bytes, and at most 100 are kept.");
    }

    @Test
    void answerOfExactlyTheLimitIsKept() {
        var small = refrain.operation("small").maxOutcomeBytes(107).leased(LeaseExpiryPolicy.RESUME);
        var answer = Outcome.Answer.of(200, new byte[100]);

        small.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> answer);

        assertThat(small.run(
                        OperationCall.scope(SCOPE).key("key-1").request("x"),
                        claim -> Outcome.Answer.of(500, new byte[0])))
                .isEqualTo(answer);
    }

    @Test
    void stateOnlyKeepsThatItWasDoneAndNotWhatItAnswered() {
        var ledger = refrain.operation("ledger", String.class).keepStateOnly().leased(LeaseExpiryPolicy.RESUME);

        assertThat(ledger.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> "done"))
                .isEqualTo("done");
        assertThatThrownBy(
                        () -> ledger.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> "twice"))
                .isInstanceOf(OutcomeNotKeptException.class);
        assertThat(world.record("ledger", "key-1").orElseThrow().outcome()).isEmpty();
        assertThat(world.events.of(RefrainEvent.OutcomeNotKept.class))
                .as("it was asked for")
                .isEmpty();
    }

    @Test
    void workCanSayThatOnlyTheStateIsKept() {
        pay.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> {
            claim.keepStateOnly("it streams");
            return charge();
        });

        assertThatThrownBy(() -> pay.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> charge()))
                .isInstanceOf(OutcomeNotKeptException.class);
        assertThat(world.events.only(RefrainEvent.OutcomeNotKept.class).reason())
                .isEqualTo("it streams");
    }
}
