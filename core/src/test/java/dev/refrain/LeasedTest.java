package dev.refrain;

import static dev.refrain.testing.World.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.claim.ClaimResult;
import dev.refrain.key.InvalidKeyException;
import dev.refrain.key.KeyRules;
import dev.refrain.observe.Event;
import dev.refrain.outcome.Codec;
import dev.refrain.outcome.Header;
import dev.refrain.outcome.Outcome;
import dev.refrain.outcome.Payload;
import dev.refrain.outcome.Retention;
import dev.refrain.outcome.UnreadableOutcomeException;
import dev.refrain.run.RunResult;
import dev.refrain.store.ErasureOrder;
import dev.refrain.store.State;
import dev.refrain.store.TakeOver;
import dev.refrain.testing.Background;
import dev.refrain.testing.Gate;
import dev.refrain.testing.World;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Claim; then the work; then the outcome. */
class LeasedTest {

    record Payment(String id, BigDecimal amount) {}

    private final World world = new World();
    private final Refrain refrain = world.process();
    private final AtomicInteger effects = new AtomicInteger();
    private final Leased<Payment> pay = refrain.operation("pay", Payment.class).leased(TakeOver.RESUME);

    private Payment charge() {
        return new Payment("p-" + effects.incrementAndGet(), new BigDecimal("10.50"));
    }

    @Test
    void the_first_call_runs_and_every_retry_is_given_what_it_gave() {
        var first = pay.run(SCOPE, "key-1", "one euro", claim -> charge());
        var retries = IntStream.range(0, 5).mapToObj(i -> pay.run(SCOPE, "key-1", "one euro", claim -> charge()));

        assertThat(first).isEqualTo(new Payment("p-1", new BigDecimal("10.50")));
        assertThat(retries).allMatch(first::equals);
        assertThat(effects).hasValue(1);
        assertThat(world.state("pay", "key-1")).isEqualTo(State.COMPLETED);
    }

    @Test
    void a_retry_in_another_process_is_given_the_same() {
        var first = pay.run(SCOPE, "key-1", "one euro", claim -> charge());
        var elsewhere = world.process().operation("pay", Payment.class).leased(TakeOver.RESUME);

        assertThat(elsewhere.run(SCOPE, "key-1", "one euro", claim -> charge())).isEqualTo(first);
        assertThat(effects).hasValue(1);
    }

    @Test
    void another_key_another_namespace_or_another_scope_is_another_intent_even_with_the_same_request() {
        var refund = refrain.operation("refund", Payment.class).leased(TakeOver.RESUME);

        pay.run(SCOPE, "key-1", "one euro", claim -> charge());
        pay.run(SCOPE, "key-2", "one euro", claim -> charge());
        pay.run("another tenant", "key-1", "one euro", claim -> charge());
        refund.run(SCOPE, "key-1", "one euro", claim -> charge());

        assertThat(effects).hasValue(4);
    }

    @Test
    void operations_that_share_a_namespace_share_their_keys_so_a_reused_key_is_a_mismatch() {
        var create = refrain.operation("create", String.class).namespace("api").leased(TakeOver.RESUME);
        var cancel = refrain.operation("cancel", String.class).namespace("api").leased(TakeOver.RESUME);
        create.run(SCOPE, "key-1", "order 7", claim -> "created");

        assertThatThrownBy(() -> cancel.run(SCOPE, "key-1", "order 7", claim -> "cancelled"))
                .isInstanceOf(MismatchException.class);
    }

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

        assertThat(raw.attempt(Call.of(SCOPE, "key-1", "x"), work)).isEqualTo(new RunResult.Ran(answer));
        var id = world.record("raw", "key-1").orElseThrow().id();
        assertThat(raw.attempt(Call.of(SCOPE, "key-1", "x"), work)).isEqualTo(new RunResult.Replayed(id, answer));
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
    void the_same_key_with_another_request_is_refused_and_nothing_runs() {
        pay.run(SCOPE, "key-1", "one euro", claim -> charge());

        assertThatThrownBy(() -> pay.run(SCOPE, "key-1", "two euros", claim -> charge()))
                .isInstanceOfSatisfying(
                        MismatchException.class,
                        e -> assertThat(e.recordId())
                                .isEqualTo(world.record("pay", "key-1")
                                        .orElseThrow()
                                        .id()))
                .hasMessageNotContaining("key-1");
        assertThat(effects).hasValue(1);
    }

    @Test
    void while_the_first_runs_a_twin_is_told_so_at_once_and_an_unlike_one_that_it_is_unlike() {
        var gate = new Gate();
        var first = Background.run(() -> pay.run(SCOPE, "key-1", "one euro", claim -> {
            gate.pass();
            return charge();
        }));
        gate.awaitArrival();

        assertThatThrownBy(() -> pay.run(SCOPE, "key-1", "one euro", claim -> charge()))
                .isInstanceOfSatisfying(
                        InProgressException.class,
                        e -> assertThat(e.retryAfter()).isEqualTo(Duration.ofSeconds(1)));
        assertThatThrownBy(() -> pay.run(SCOPE, "key-1", "two euros", claim -> charge()))
                .isInstanceOf(MismatchException.class);
        assertThat(pay.attempt(Call.of(SCOPE, "key-1", "two euros"), claim -> charge()))
                .isInstanceOfSatisfying(
                        RunResult.Refused.class,
                        refused -> assertThat(refused.why()).isInstanceOf(ClaimResult.Mismatch.class));

        gate.open();
        assertThat(first.get().id()).isEqualTo("p-1");
        assertThat(effects).hasValue(1);
    }

    @Test
    void of_many_twins_at_once_one_runs() {
        var twins = Background.run(200, () -> {
            try {
                return pay.run(SCOPE, "key-1", "one euro", claim -> charge()).id();
            } catch (InProgressException busy) {
                return "busy";
            }
        });

        assertThat(twins.stream().map(Background::get))
                .isSubsetOf("p-1", "busy")
                .contains("p-1");
        assertThat(effects).hasValue(1);
    }

    @Test
    void json_requests_are_compared_by_meaning_and_text_literally() {
        pay.run(SCOPE, "key-1", new Payment("x", new BigDecimal("1.0")), claim -> charge());
        pay.run(SCOPE, "key-1", new Payment("x", new BigDecimal("1.00")), claim -> charge());
        assertThat(effects).hasValue(1);

        pay.run(SCOPE, "key-2", "{\"a\":1, \"b\":2}", claim -> charge());
        assertThatThrownBy(() -> pay.run(SCOPE, "key-2", "{\"b\":2, \"a\":1}", claim -> charge()))
                .isInstanceOf(MismatchException.class);
    }

    @Test
    void a_bad_key_is_refused_before_anything_is_claimed() {
        var strict = refrain.operation("strict", String.class)
                .keys(KeyRules.DEFAULT.matching(Pattern.compile("[0-9]+")))
                .leased(TakeOver.RESUME);

        assertThatThrownBy(() -> strict.run(SCOPE, "abc", "x", claim -> "ran")).isInstanceOf(InvalidKeyException.class);
        assertThatThrownBy(() -> pay.run(SCOPE, "", "x", claim -> charge())).isInstanceOf(InvalidKeyException.class);
        assertThatThrownBy(() -> pay.run(SCOPE, "a b", "x", claim -> charge())).isInstanceOf(InvalidKeyException.class);
        assertThatThrownBy(() -> pay.run(SCOPE, null, "x", claim -> charge()))
                .isInstanceOf(NullPointerException.class)
                .hasMessageStartingWith("key");
        assertThat(effects).hasValue(0);
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
            assertThat(small.attempt(Call.of(SCOPE, key, "x"), claim -> answer))
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
        var ledger = refrain.operation("ledger", String.class).stateOnly().leased(TakeOver.RESUME);

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

    @Test
    void after_its_retention_the_same_key_is_a_new_request_with_a_new_record() {
        var first = pay.run(SCOPE, "key-1", "one euro", claim -> charge());
        var id = world.record("pay", "key-1").orElseThrow().id();
        world.clock.advance(Duration.ofHours(24).minusNanos(1));
        assertThat(pay.run(SCOPE, "key-1", "one euro", claim -> charge())).isEqualTo(first);

        world.clock.advance(Duration.ofNanos(1));

        assertThat(pay.run(SCOPE, "key-1", "another request", claim -> charge()).id())
                .isEqualTo("p-2");
        assertThat(world.record("pay", "key-1").orElseThrow().id()).isNotEqualTo(id);
    }

    @Test
    void an_outcome_is_kept_at_least_an_hour_after_completion() {
        var brief = refrain.operation("brief", Payment.class)
                .retention(Duration.ofMinutes(1))
                .leased(TakeOver.RESUME);
        brief.run(SCOPE, "key-1", "x", claim -> charge());

        world.clock.advance(Duration.ofMinutes(59));

        assertThat(brief.run(SCOPE, "key-1", "x", claim -> charge()).id()).isEqualTo("p-1");
    }

    @Test
    void for_ever_is_for_ever() {
        var ledger = refrain.operation("ledger", Payment.class)
                .retention(Retention.FOR_EVER)
                .leased(TakeOver.RESUME);
        ledger.run(SCOPE, "key-1", "x", claim -> charge());

        world.clock.advance(Duration.ofDays(36_500));
        world.memory.reap(1_000);

        assertThat(ledger.run(SCOPE, "key-1", "x", claim -> charge()).id()).isEqualTo("p-1");
    }

    @Test
    void the_work_can_keep_its_outcome_for_another_time() {
        pay.run(SCOPE, "longer", "x", claim -> {
            claim.keepFor(Retention.of(Duration.ofDays(30)));
            return charge();
        });
        pay.run(SCOPE, "shorter", "x", claim -> {
            claim.keepFor(Retention.of(Duration.ofHours(2)));
            return charge();
        });

        assertThat(lifeLeft("pay", "longer")).contains(Duration.ofDays(30));
        assertThat(lifeLeft("pay", "shorter")).contains(Duration.ofHours(2));
    }

    @Test
    void the_work_cannot_cut_short_the_time_for_which_clients_retry() {
        var patient = refrain.operation("patient", Payment.class)
                .clientsRetryFor(Duration.ofHours(12))
                .leased(TakeOver.RESUME);
        patient.run(SCOPE, "key-1", "x", claim -> {
            claim.keepFor(Retention.of(Duration.ofHours(2)));
            return charge();
        });

        assertThat(lifeLeft("patient", "key-1")).contains(Duration.ofHours(24));
    }

    private Optional<Duration> lifeLeft(String namespace, String key) {
        return world.record(namespace, key).orElseThrow().lifeLeft();
    }

    @Test
    void a_call_says_nothing_in_a_log() {
        assertThat(Call.of(SCOPE, "key-1", "secret").about("alice")).hasToString("Call[…]");
    }

    @Test
    void a_record_can_be_erased_with_the_person_it_is_about() {
        pay.run(Call.of(SCOPE, "key-1", "x").about("alice"), claim -> charge());
        pay.run(Call.of(SCOPE, "key-2", "x").about("bob"), claim -> charge());

        var erased = refrain.operators().erase(new ErasureOrder.OfPerson(SCOPE, "alice"), "dpo", "asked to");

        assertThat(erased.erased()).isEqualTo(1);
        assertThatThrownBy(() -> pay.run(SCOPE, "key-1", "x", claim -> charge()))
                .isInstanceOf(OutcomeNotKeptException.class);
        assertThat(pay.run(SCOPE, "key-2", "x", claim -> charge()).id()).isEqualTo("p-2");
        assertThat(effects).hasValue(2);
    }
}
