package dev.refrain;

import static dev.refrain.testing.World.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.claim.ClaimResult;
import dev.refrain.key.InvalidKeyException;
import dev.refrain.key.KeyRules;
import dev.refrain.run.RunResult;
import dev.refrain.store.ErasureOrder;
import dev.refrain.store.State;
import dev.refrain.store.TakeOver;
import dev.refrain.testing.Background;
import dev.refrain.testing.Gate;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Claim; then the work; then the outcome. */
class LeasedTest extends Paying {

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
        assertThat(pay.runForResult(Call.of(SCOPE, "key-1", "two euros"), claim -> charge()))
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
                .keyRules(KeyRules.DEFAULT.matching(Pattern.compile("[0-9]+")))
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
    void a_call_says_nothing_in_a_log() {
        assertThat(Call.of(SCOPE, "key-1", "secret").withSubject("alice")).hasToString("Call[…]");
    }

    @Test
    void a_record_can_be_erased_with_the_person_it_is_about() {
        pay.run(Call.of(SCOPE, "key-1", "x").withSubject("alice"), claim -> charge());
        pay.run(Call.of(SCOPE, "key-2", "x").withSubject("bob"), claim -> charge());

        var erased = refrain.admin().erase(new ErasureOrder.OfPerson(SCOPE, "alice"), "dpo", "asked to");

        assertThat(erased.erased()).isEqualTo(1);
        assertThatThrownBy(() -> pay.run(SCOPE, "key-1", "x", claim -> charge()))
                .isInstanceOf(OutcomeNotKeptException.class);
        assertThat(pay.run(SCOPE, "key-2", "x", claim -> charge()).id()).isEqualTo("p-2");
        assertThat(effects).hasValue(2);
    }
}
