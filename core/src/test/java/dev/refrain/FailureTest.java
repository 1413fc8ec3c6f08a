package dev.refrain;

import static dev.refrain.testing.World.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.observe.Event;
import dev.refrain.outcome.Header;
import dev.refrain.outcome.Outcome;
import dev.refrain.outcome.Payload;
import dev.refrain.outcome.Profile;
import dev.refrain.run.Failure;
import dev.refrain.run.Keeping;
import dev.refrain.run.RunResult;
import dev.refrain.store.State;
import dev.refrain.store.TakeOver;
import dev.refrain.testing.World;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a retry meets after the work threw, or gave an answer that is not kept. */
class FailureTest {

    private final World world = new World();
    private final Refrain refrain = world.process();
    private final AtomicInteger effects = new AtomicInteger();
    private final List<String> keysSent = new ArrayList<>();

    private Leased<String> pay(TakeOver takeOver) {
        return refrain.operation("pay", String.class).leased(takeOver);
    }

    private State state() {
        return world.state("pay", "key-1");
    }

    @Test
    void with_resume_an_exception_releases_the_record_and_a_retry_runs_under_the_same_derived_keys() throws Exception {
        var pay = pay(TakeOver.RESUME);
        var boom = new IOException("no route to bank");

        assertThatThrownBy(() -> pay.<Exception>run(SCOPE, "key-1", "x", claim -> {
                    keysSent.add(claim.derivedKey("charge"));
                    assertThat(claim.mayHaveSent()).isTrue();
                    assertThat(claim.isResumed()).isFalse();
                    throw boom;
                }))
                .isSameAs(boom)
                .hasNoSuppressedExceptions();
        var id = world.record("pay", "key-1").orElseThrow().id();
        assertThat(state()).isEqualTo(State.RELEASED);

        assertThat(pay.run(SCOPE, "key-1", "x", claim -> {
                    keysSent.add(claim.derivedKey("charge"));
                    assertThat(claim.isResumed()).isTrue();
                    assertThat(claim.fence()).isEqualTo(2);
                    assertThat(claim.recordId()).isEqualTo(id);
                    return "paid";
                }))
                .isEqualTo("paid");

        assertThat(keysSent).hasSize(2).containsOnly(id.keyFor("charge"));
        assertThat(world.events.only(Event.Released.class).id()).isEqualTo(id);
        assertThat(world.events.only(Event.Resumed.class)).isEqualTo(new Event.Resumed("pay", id, 2));
    }

    @Test
    void with_hold_an_exception_is_kept_as_the_outcome_and_thrown_again() {
        var pay = pay(TakeOver.HOLD);
        var boom = new IOException("no route to bank");

        assertThatThrownBy(() -> pay.<Exception>run(SCOPE, "key-1", "x", claim -> {
                    effects.incrementAndGet();
                    throw boom;
                }))
                .isSameAs(boom);
        assertThat(state()).isEqualTo(State.COMPLETED);
        assertThatThrownBy(() -> pay.run(SCOPE, "key-1", "x", claim -> "ran " + effects.incrementAndGet()))
                .isInstanceOfSatisfying(RepeatedFailureException.class, e -> {
                    assertThat(e.type()).isEqualTo("java.io.IOException");
                    assertThat(e.originalMessage()).isEqualTo("no route to bank");
                    assertThat(e.recordId())
                            .isEqualTo(
                                    world.record("pay", "key-1").orElseThrow().id());
                });
        assertThat(effects).hasValue(1);
    }

    @Test
    void with_hold_a_retry_may_run_if_the_work_said_that_nothing_happened() {
        var pay = pay(TakeOver.HOLD);

        assertThatThrownBy(() -> pay.run(SCOPE, "key-1", "x", claim -> {
                    claim.declareNoEffect();
                    throw new IllegalStateException("card declined before anything was sent");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(state()).isEqualTo(State.RELEASED);
        assertThat(pay.run(SCOPE, "key-1", "x", claim -> "paid")).isEqualTo("paid");
    }

    @Test
    void that_nothing_happened_counts_only_if_the_run_fails() {
        pay(TakeOver.HOLD).run(SCOPE, "key-1", "x", claim -> {
            claim.declareNoEffect();
            return "paid";
        });

        assertThat(state()).isEqualTo(State.COMPLETED);
    }

    @Test
    void an_error_is_a_failure_too_and_reaches_the_caller_as_it_is() {
        var pay = pay(TakeOver.HOLD);
        var error = new StackOverflowError("deep");

        assertThatThrownBy(() -> pay.run(SCOPE, "key-1", "x", claim -> {
                    throw error;
                }))
                .isSameAs(error);
        assertThatThrownBy(() -> pay.run(SCOPE, "key-1", "x", claim -> "twice"))
                .isInstanceOf(RepeatedFailureException.class);
    }

    @Test
    void do_not_keep_lets_a_retry_run_with_resume_and_with_hold_is_the_outcome_all_the_same() {
        var resume = pay(TakeOver.RESUME);
        Work<String, RuntimeException> unkept = claim -> {
            claim.doNotKeepAnswer();
            return "answer " + effects.incrementAndGet();
        };

        assertThat(resume.run(SCOPE, "key-1", "x", unkept)).isEqualTo("answer 1");
        assertThat(resume.run(SCOPE, "key-1", "x", unkept)).isEqualTo("answer 2");

        var hold = refrain.operation("held", String.class).leased(TakeOver.HOLD);
        assertThat(hold.run(SCOPE, "key-1", "x", unkept)).isEqualTo("answer 3");
        assertThat(hold.run(SCOPE, "key-1", "x", unkept)).isEqualTo("answer 3");
    }

    @Test
    void what_the_work_says_of_itself_goes_before_what_the_profile_keeps() {
        var stripe =
                refrain.operation("pay", String.class).profile(Profile.STRIPE).leased(TakeOver.RESUME);
        for (boolean nothingHappened : new boolean[] {true, false}) {
            assertThatThrownBy(() -> stripe.run(SCOPE, "key-1", "x", claim -> {
                        if (nothingHappened) {
                            claim.declareNoEffect();
                        } else {
                            claim.doNotKeepAnswer();
                        }
                        throw new IllegalStateException("refused at the door");
                    }))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(state()).isEqualTo(State.RELEASED);
        }
    }

    @Test
    void a_rule_that_fails_does_not_free_the_key_after_the_work() {
        var log = Logger.getLogger(Keeping.class.getName());
        log.setLevel(Level.OFF);
        var odd = refrain.operation("pay", String.class)
                .profile(Profile.DEFAULT.withKeepRule(answer -> {
                    throw new IllegalStateException("a defect in the rule");
                }))
                .leased(TakeOver.RESUME);

        assertThat(odd.run(SCOPE, "key-1", "x", claim -> "paid")).isEqualTo("paid");
        assertThat(state()).isEqualTo(State.COMPLETED);
        log.setLevel(null);
    }

    @Test
    void a_failure_where_only_the_state_is_kept_is_not_told_as_done() {
        var ledger = refrain.operation("pay", String.class).keepStateOnly().leased(TakeOver.HOLD);
        assertThatThrownBy(() -> ledger.run(SCOPE, "key-1", "x", claim -> {
                    throw new IllegalStateException("account 4711 is closed");
                }))
                .isInstanceOf(IllegalStateException.class);

        assertThatThrownBy(() -> ledger.run(SCOPE, "key-1", "x", claim -> "done"))
                .isInstanceOfSatisfying(RepeatedFailureException.class, e -> {
                    assertThat(e.type()).isEqualTo("java.lang.IllegalStateException");
                    assertThat(e.originalMessage()).isEmpty();
                });
    }

    @Test
    void a_failure_whose_message_is_too_large_to_keep_is_still_told_as_a_failure() {
        var small = refrain.operation("pay", String.class).maxOutcomeBytes(100).leased(TakeOver.HOLD);
        assertThatThrownBy(() -> small.run(SCOPE, "key-1", "x", claim -> {
                    throw new IllegalStateException("x".repeat(1_000));
                }))
                .isInstanceOf(IllegalStateException.class);

        assertThatThrownBy(() -> small.run(SCOPE, "key-1", "x", claim -> "done"))
                .isInstanceOf(RepeatedFailureException.class);
    }

    @Test
    void no_answer_from_outside_can_pass_for_a_kept_failure() {
        var raw = refrain.operation("raw").leased(TakeOver.RESUME);
        var forged = new Outcome.Answer(
                200,
                List.of(new Header("Refrain-Failure", "java.lang.Error"), new Header("refrain-failure", "x")),
                Payload.of(new byte[0]));

        raw.run(SCOPE, "key-1", "x", claim -> forged);

        assertThat(raw.run(SCOPE, "key-1", "x", claim -> forged)).isEqualTo(forged);
        assertThat(Failure.fromAnswer(forged)).isEmpty();
    }

    @Test
    void a_raw_operation_tells_a_kept_failure_apart_from_an_answer() {
        var raw = refrain.operation("raw").leased(TakeOver.HOLD);
        assertThatThrownBy(() -> raw.run(SCOPE, "key-1", "x", claim -> {
                    throw new IllegalStateException("boom");
                }))
                .isInstanceOf(IllegalStateException.class);

        var replayed = (RunResult.Replayed) raw.runForResult(Call.of(SCOPE, "key-1", "x"), claim -> {
            throw new AssertionError("must not run");
        });
        assertThat(Failure.fromAnswer((Outcome.Answer) replayed.outcome()))
                .contains(new Failure("java.lang.IllegalStateException", "boom"));
    }

    /** For each profile: some answers that are kept, some that are not, and whether exceptions are. */
    static Stream<Arguments> rows() {
        return Stream.of(
                Arguments.of(
                        Profile.DEFAULT,
                        List.of(200, 204, 303, 400, 404, 422),
                        List.of(500, 503, 408, 409, 425, 429),
                        false),
                Arguments.of(Profile.STRIPE, List.of(200, 400, 409, 500, 503), List.of(429), true),
                Arguments.of(Profile.SQUARE, List.of(200, 400, 409, 429), List.of(303, 500, 503), false),
                Arguments.of(Profile.SUCCESS_ONLY, List.of(200, 204), List.of(303, 400, 500), false),
                Arguments.of(Profile.ADYEN, List.of(200, 400, 429, 500), List.of(), true));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void what_a_profile_keeps_is_replayed_and_what_it_does_not_keep_runs_again(
            Profile profile, List<Integer> kept, List<Integer> notKept, boolean keepsExceptions) {
        var raw = refrain.operation("raw").profile(profile).leased(TakeOver.RESUME);
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

    private int timesRun(Leased<Outcome.Answer> raw, String key, int status) {
        effects.set(0);
        for (int i = 0; i < 2; i++) {
            var answer = raw.run(SCOPE, key, "x", claim -> {
                effects.incrementAndGet();
                return Outcome.Answer.of(status, new byte[0]);
            });
            assertThat(answer.status()).isEqualTo(status);
        }
        return effects.get();
    }

    private int timesThrown(Leased<Outcome.Answer> raw) {
        effects.set(0);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> raw.run(SCOPE, "thrown", "x", claim -> {
                        effects.incrementAndGet();
                        throw new IllegalStateException("boom");
                    }))
                    .isInstanceOfAny(IllegalStateException.class, RepeatedFailureException.class);
        }
        return effects.get();
    }

    @Test
    void adyen_runs_a_transient_answer_again() {
        var raw = refrain.operation("raw").profile(Profile.ADYEN).leased(TakeOver.RESUME);
        var transientError =
                new Outcome.Answer(500, List.of(new Header("Transient-Error", "true")), Payload.of(new byte[0]));
        for (int i = 0; i < 2; i++) {
            raw.run(SCOPE, "key-1", "x", claim -> {
                effects.incrementAndGet();
                return transientError;
            });
        }
        assertThat(effects).hasValue(2);
    }

    @ParameterizedTest
    @EnumSource(TakeOver.class)
    void with_hold_an_answer_that_is_not_kept_is_the_outcome_all_the_same(TakeOver takeOver) {
        var raw = refrain.operation("raw").leased(takeOver);

        assertThat(timesRun(raw, "key-1", 503)).isEqualTo(takeOver == TakeOver.HOLD ? 1 : 2);
    }
}
