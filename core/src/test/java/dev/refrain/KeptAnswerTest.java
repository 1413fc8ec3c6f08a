package dev.refrain;

import static dev.refrain.testing.World.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.observe.Event;
import dev.refrain.outcome.Codec;
import dev.refrain.outcome.Header;
import dev.refrain.outcome.Outcome;
import dev.refrain.outcome.Payload;
import dev.refrain.outcome.UnreadableOutcomeException;
import dev.refrain.run.RunResult;
import dev.refrain.store.State;
import dev.refrain.store.TakeOver;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a retry is given of an answer, and what if that cannot be kept or read. */
class KeptAnswerTest extends Paying {

    static Stream<Outcome.Answer> answers() {
        return Stream.of(
                Outcome.Answer.of(204, new byte[0]),
                Outcome.Answer.of(200, new byte[0]),
                Outcome.Answer.of(200, new byte[] {0, (byte) 0xFF, (byte) 0xC3, 0x28}),
                Outcome.Answer.of(406, "no such format".getBytes(StandardCharsets.UTF_8)),
                new Outcome.Answer(
                        303,
                        List.of(new Header("Location", "/p/1"), new Header("Link", "a"), new Header("Link", "b")),
                        Payload.of(new byte[] {1})));
    }

    @ParameterizedTest
    @MethodSource("answers")
    void a_raw_answer_is_replayed_byte_for_byte(Outcome.Answer answer) {
        var raw = refrain.operation("raw").leased(TakeOver.RESUME);
        Work<Outcome.Answer, RuntimeException> work = claim -> {
            effects.incrementAndGet();
            return answer;
        };

        assertThat(raw.runForResult(Call.of(SCOPE, "key-1", "x"), work)).isEqualTo(new RunResult.Ran(answer));
        var id = world.record("raw", "key-1").orElseThrow().id();
        assertThat(raw.runForResult(Call.of(SCOPE, "key-1", "x"), work)).isEqualTo(new RunResult.Replayed(id, answer));
        assertThat(raw.run(SCOPE, "key-1", "x", work)).isEqualTo(answer);
        assertThat(effects).hasValue(1);
    }

    @Test
    void work_that_gives_nothing_gives_nothing_again_and_does_not_run() {
        for (var codec : List.of(Codec.standard(), new OnlyText())) {
            var own = world.process(world.settings().with(codec));
            var erase = own.operation("erase-" + codec.getClass().getSimpleName(), Void.class)
                    .leased(TakeOver.RESUME);
            effects.set(0);

            for (int i = 0; i < 3; i++) {
                assertThat(erase.<RuntimeException>run(SCOPE, "key-1", "x", claim -> {
                            effects.incrementAndGet();
                            return null;
                        }))
                        .isNull();
            }
            assertThat(effects).hasValue(1);
        }
    }

    /** A codec that would trip over a null. */
    private static final class OnlyText implements Codec {
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
    @EnumSource(TakeOver.class)
    void raw_work_that_gives_null_has_failed(TakeOver takeOver) {
        var raw = refrain.operation("raw").leased(takeOver);

        assertThatThrownBy(() -> raw.run(SCOPE, "key-1", "x", claim -> null))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("raw: the work gave null");
        assertThat(world.state("raw", "key-1"))
                .isEqualTo(takeOver == TakeOver.RESUME ? State.RELEASED : State.COMPLETED);
    }

    @Test
    void a_value_that_cannot_be_encoded_is_given_to_its_caller_and_never_runs_again() {
        record Secretive() {
            @SuppressWarnings("unused")
            public String getSecret() {
                throw new IllegalStateException("4111 1111 1111 1111");
            }
        }
        var odd = refrain.operation("odd", Secretive.class).leased(TakeOver.RESUME);
        var missing = world.process(world.settings().with(new MissingAClass()))
                .operation("missing", String.class)
                .leased(TakeOver.RESUME);

        assertThat(missing.run(SCOPE, "key-1", "x", claim -> "done")).isEqualTo("done");
        assertThatThrownBy(() -> missing.run(SCOPE, "key-1", "x", claim -> "twice"))
                .isInstanceOf(OutcomeNotKeptException.class);

        assertThat(odd.run(SCOPE, "key-1", "x", claim -> {
                    effects.incrementAndGet();
                    return new Secretive();
                }))
                .isEqualTo(new Secretive());
        assertThatThrownBy(() -> odd.run(SCOPE, "key-1", "x", claim -> new Secretive()))
                .isInstanceOf(OutcomeNotKeptException.class);
        assertThat(effects).hasValue(1);
        assertThat(world.events.of(Event.OutcomeNotKept.class))
                .hasSize(2)
                .allSatisfy(e -> assertThat(e.reason())
                        .startsWith("Its value could not be encoded: ")
                        .doesNotContain("4111"));
    }

    /** A codec whose library is not complete. */
    private static final class MissingAClass implements Codec {
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
    void what_is_stored_but_can_no_longer_be_read_is_told_as_such_and_does_not_run() {
        refrain.operation("pay", String.class).leased(TakeOver.RESUME).run(SCOPE, "key-1", "x", claim -> "text");

        assertThatThrownBy(() -> pay.run(SCOPE, "key-1", "x", claim -> charge()))
                .isInstanceOf(UnreadableOutcomeException.class)
                .hasMessageContaining("pay was completed under this key")
                .hasMessageNotContaining("text");
        assertThat(effects).hasValue(0);
    }

    @Test
    void an_answer_over_the_size_limit_reaches_its_caller_and_never_frees_the_key() {
        var small = refrain.operation("small").maxOutcomeBytes(100).leased(TakeOver.RESUME);
        for (int size : new int[] {95, 1_000}) {
            var answer = Outcome.Answer.of(200, new byte[size]);
            String key = "key-" + size;

            assertThat(small.run(SCOPE, key, "x", claim -> answer)).isEqualTo(answer);
            assertThat(small.runForResult(Call.of(SCOPE, key, "x"), claim -> answer))
                    .isInstanceOfSatisfying(
                            RunResult.Replayed.class,
                            replayed -> assertThat(replayed.outcome()).isEqualTo(new Outcome.StateOnly()));
        }
        assertThat(world.events.of(Event.OutcomeNotKept.class))
                .extracting(Event.OutcomeNotKept::reason)
                .containsExactly(
                        "It has 102 bytes, and at most 100 are kept.", "It has 1000 bytes, and at most 100 are kept.");
    }

    @Test
    void an_answer_of_exactly_the_limit_is_kept() {
        var small = refrain.operation("small").maxOutcomeBytes(107).leased(TakeOver.RESUME);
        var answer = Outcome.Answer.of(200, new byte[100]);

        small.run(SCOPE, "key-1", "x", claim -> answer);

        assertThat(small.run(SCOPE, "key-1", "x", claim -> Outcome.Answer.of(500, new byte[0])))
                .isEqualTo(answer);
    }

    @Test
    void state_only_keeps_that_it_was_done_and_not_what_it_answered() {
        var ledger = refrain.operation("ledger", String.class).keepStateOnly().leased(TakeOver.RESUME);

        assertThat(ledger.run(SCOPE, "key-1", "x", claim -> "done")).isEqualTo("done");
        assertThatThrownBy(() -> ledger.run(SCOPE, "key-1", "x", claim -> "twice"))
                .isInstanceOf(OutcomeNotKeptException.class);
        assertThat(world.record("ledger", "key-1").orElseThrow().outcome()).isEmpty();
        assertThat(world.events.of(Event.OutcomeNotKept.class))
                .as("it was asked for")
                .isEmpty();
    }

    @Test
    void the_work_can_say_that_only_the_state_is_kept() {
        pay.run(SCOPE, "key-1", "x", claim -> {
            claim.keepStateOnly("it streams");
            return charge();
        });

        assertThatThrownBy(() -> pay.run(SCOPE, "key-1", "x", claim -> charge()))
                .isInstanceOf(OutcomeNotKeptException.class);
        assertThat(world.events.only(Event.OutcomeNotKept.class).reason()).isEqualTo("it streams");
    }
}
