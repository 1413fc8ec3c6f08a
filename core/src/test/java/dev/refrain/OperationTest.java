package dev.refrain;

import static dev.refrain.testing.World.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.fingerprint.Fingerprinter;
import dev.refrain.outcome.Retention;
import dev.refrain.replay.OutcomeCache;
import dev.refrain.replay.Waiters;
import dev.refrain.store.StoreTraits;
import dev.refrain.store.TakeOver;
import dev.refrain.testing.World;
import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is refused when an operation is made, long before its first call. */
class OperationTest {

    private final World world = new World();
    private final Refrain refrain = world.process();

    static Stream<Arguments> nonsense() {
        return Stream.of(
                refused(
                        "pay.retention is PT1H but its clients retry for PT2H",
                        o -> o.retention(Duration.ofHours(1)).clientRetryWindow(Duration.ofHours(2))),
                refused("retention must be", o -> o.retention(Duration.ZERO)),
                refused("max-outcome-bytes must not be negative", o -> o.maxOutcomeBytes(-1)),
                refused("in-flight.wait must not be negative", o -> o.waitForOutcome(Duration.ofMillis(-1))),
                refused("lease must be at least", o -> o.lease(Duration.ZERO)),
                refused("at most max-run", o -> o.lease(Duration.ofMinutes(20)).maxRunTime(Duration.ofMinutes(10))),
                refused("pay.patience must be more than 0", o -> o.storeTimeout(Duration.ZERO)),
                refused("pay.namespace cannot be used: The namespace is empty", o -> o.namespace("")),
                refused("pay.namespace cannot be used", o -> o.namespace("n".repeat(513))));
    }

    private static Arguments refused(String message, UnaryOperator<Operation<String>> setting) {
        return Arguments.of(message, setting);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("nonsense")
    void settings_that_make_no_sense_are_refused_at_start_by_their_path(
            String message, UnaryOperator<Operation<String>> setting) {
        assertThatThrownBy(() ->
                        setting.apply(refrain.operation("pay", String.class)).leased(TakeOver.RESUME))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void a_retention_as_long_as_clients_retry_is_taken_and_for_ever_always() {
        assertThatCode(() -> refrain.operation("pay", String.class)
                        .retention(Duration.ofHours(2))
                        .clientRetryWindow(Duration.ofHours(2))
                        .leased(TakeOver.RESUME))
                .doesNotThrowAnyException();
        assertThatCode(() -> refrain.operation("pay", String.class)
                        .retention(Retention.FOREVER)
                        .clientRetryWindow(Duration.ofDays(9_999))
                        .leased(TakeOver.RESUME))
                .doesNotThrowAnyException();
    }

    @Test
    void an_operation_that_demands_a_correct_store_is_refused_on_one_that_is_not() {
        world.store.promise(new StoreTraits("Redis", false, true));

        assertThatThrownBy(() ->
                        refrain.operation("pay", String.class).requireCorrectStore().leased(TakeOver.HOLD))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("pay demands a correct store, but Redis cannot promise");
        assertThatCode(() -> refrain.operation("pay", String.class).leased(TakeOver.HOLD))
                .doesNotThrowAnyException();
    }

    @Test
    void a_primitive_type_is_refused_and_the_right_one_named() {
        assertThatThrownBy(() -> refrain.operation("count", int.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("use Integer.class");
        assertThat(refrain.operation("count", Integer.class)
                        .leased(TakeOver.RESUME)
                        .run(SCOPE, "k", "x", claim -> 7))
                .isEqualTo(7);
    }

    @Test
    void each_step_gives_a_changed_copy_and_leaves_the_one_before_as_it_was() {
        var base = refrain.operation("pay", String.class);
        var ledger = base.keepStateOnly().namespace("ledger");

        base.leased(TakeOver.RESUME).run(SCOPE, "k", "x", claim -> "one");
        ledger.leased(TakeOver.RESUME).run(SCOPE, "k", "x", claim -> "two");

        assertThat(base.leased(TakeOver.RESUME).run(SCOPE, "k", "x", claim -> "three"))
                .isEqualTo("one");
        assertThat(world.record("ledger", "k").orElseThrow().outcome()).isEmpty();
    }

    @Test
    void fields_that_do_not_count_can_be_left_out_of_the_comparison() {
        var lenient = refrain.operation("pay", String.class)
                .fingerprinter(Fingerprinter.builder().exclude("/at").build())
                .leased(TakeOver.RESUME);
        record Asked(int eur, long at) {}

        lenient.run(SCOPE, "k", new Asked(1, 100), claim -> "one");

        assertThat(lenient.run(SCOPE, "k", new Asked(1, 200), claim -> "two")).isEqualTo("one");
        assertThatThrownBy(() -> lenient.run(SCOPE, "k", new Asked(2, 100), claim -> "three"))
                .isInstanceOf(MismatchException.class);
    }

    @Test
    void settings_of_an_instance_that_make_no_sense_are_refused_by_their_path() {
        assertThatThrownBy(() -> Settings.defaults().maxKeysPerScope(0)).hasMessageContaining("quota.keys-per-scope");
        assertThatThrownBy(() -> new Settings.Chores(Duration.ZERO, Duration.ZERO, Duration.ofMinutes(1)))
                .hasMessageContaining("chores.sweep-every");
        assertThatThrownBy(() -> new Waiters.Limits(-1, 1)).hasMessageContaining("waiters.per-scope");
        assertThatThrownBy(() -> new OutcomeCache.Settings(-1, Duration.ZERO)).hasMessageContaining("cache.bytes");
        assertThatThrownBy(() -> new OutcomeCache.Settings(1, Duration.ofDays(2)))
                .hasMessageContaining("cache.longest");
    }
}
