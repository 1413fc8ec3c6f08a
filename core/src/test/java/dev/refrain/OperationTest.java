package dev.refrain;

import static dev.refrain.testing.SharedStoreFixture.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.RefrainSettings.CacheSettings;
import dev.refrain.RefrainSettings.WaiterLimits;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.RequestMismatchException;
import dev.refrain.api.Retention;
import dev.refrain.store.StoreClock;
import dev.refrain.store.StoreLimits;
import dev.refrain.store.StoreTraits;
import dev.refrain.testing.InMemoryTransactionFactory;
import dev.refrain.testing.SharedStoreFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is refused when an operation is made, long before its first call. */
class OperationTest {

    private final SharedStoreFixture world = new SharedStoreFixture();
    private final Refrain refrain = world.process();

    static Stream<Arguments> nonsense() {
        return Stream.of(
                refused(
                        "pay.retention is 1 h but its clients retry for 2 h",
                        o -> o.retention(Duration.ofHours(1)).clientRetryWindow(Duration.ofHours(2))),
                refused("retention must be", o -> o.retention(Duration.ZERO)),
                refused("max-outcome-bytes must not be negative", o -> o.maxOutcomeBytes(-1)),
                refused("in-flight.wait must not be negative", o -> o.waitWhileInFlight(Duration.ofMillis(-1))),
                refused("lease must be at least", o -> o.lease(Duration.ZERO)),
                refused(
                        "at most max-run-time",
                        o -> o.lease(Duration.ofMinutes(20)).maxRunTime(Duration.ofMinutes(10))),
                refused("pay.store-timeout must be positive", o -> o.storeTimeout(Duration.ZERO)),
                refused("pay.namespace cannot be used: The namespace is empty", o -> o.namespace("")),
                refused("pay.namespace cannot be used", o -> o.namespace("n".repeat(513))));
    }

    private static Arguments refused(String message, UnaryOperator<Operation<String>> setting) {
        return Arguments.of(message, setting);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("nonsense")
    void settingsThatMakeNoSenseAreRefusedAtStartByTheirPath(String message, UnaryOperator<Operation<String>> setting) {
        assertThatThrownBy(() ->
                        setting.apply(refrain.operation("pay", String.class)).leased(LeaseExpiryPolicy.RESUME))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void retentionAsLongAsClientsRetryIsTakenAndForEverAlways() {
        assertThatCode(() -> refrain.operation("pay", String.class)
                        .retention(Duration.ofHours(2))
                        .clientRetryWindow(Duration.ofHours(2))
                        .leased(LeaseExpiryPolicy.RESUME))
                .doesNotThrowAnyException();
        assertThatCode(() -> refrain.operation("pay", String.class)
                        .retention(Retention.FOREVER)
                        .clientRetryWindow(Duration.ofDays(9_999))
                        .leased(LeaseExpiryPolicy.RESUME))
                .doesNotThrowAnyException();
    }

    @Test
    void operationThatDemandsACorrectStoreIsRefusedOnOneThatIsNot() {
        world.store.promise(new StoreTraits("Redis", false, true, StoreClock.NONE, StoreLimits.DEFAULT));

        assertThatThrownBy(() -> refrain.operation("pay", String.class).requireCorrectStore())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("pay demands a correct store (requireCorrectStore), but Redis cannot promise");
        assertThatCode(() -> refrain.operation("pay", String.class).leased(LeaseExpiryPolicy.HOLD))
                .doesNotThrowAnyException();
    }

    @Test
    void primitiveTypeIsRefusedAndTheRightOneNamed() {
        assertThatThrownBy(() -> refrain.operation("count", int.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("use Integer.class");
        assertThat(refrain.operation("count", Integer.class)
                        .leased(LeaseExpiryPolicy.RESUME)
                        .run(OperationCall.scope(SCOPE).key("k").request("x"), claim -> 7))
                .isEqualTo(7);
    }

    @Test
    void eachStepGivesAChangedCopyAndLeavesTheOneBeforeAsItWas() {
        var base = refrain.operation("pay", String.class);
        var ledger = base.keepStateOnly().namespace("ledger");

        base.leased(LeaseExpiryPolicy.RESUME)
                .run(OperationCall.scope(SCOPE).key("k").request("x"), claim -> "one");
        ledger.leased(LeaseExpiryPolicy.RESUME)
                .run(OperationCall.scope(SCOPE).key("k").request("x"), claim -> "two");

        assertThat(base.leased(LeaseExpiryPolicy.RESUME)
                        .run(OperationCall.scope(SCOPE).key("k").request("x"), claim -> "three"))
                .isEqualTo("one");
        assertThat(world.record("ledger", "k").orElseThrow().outcome()).isEmpty();
    }

    @Test
    void fieldsThatDoNotCountCanBeLeftOutOfTheComparison() {
        var lenient = refrain.operation("pay", String.class)
                .fingerprinter(
                        RequestFingerprinter.builder().ignoredFields("/at").build())
                .leased(LeaseExpiryPolicy.RESUME);
        record Asked(int eur, long at) {}

        lenient.run(OperationCall.scope(SCOPE).key("k").request(new Asked(1, 100)), claim -> "one");

        assertThat(lenient.run(OperationCall.scope(SCOPE).key("k").request(new Asked(1, 200)), claim -> "two"))
                .isEqualTo("one");
        assertThatThrownBy(() ->
                        lenient.run(OperationCall.scope(SCOPE).key("k").request(new Asked(2, 100)), claim -> "three"))
                .isInstanceOf(RequestMismatchException.class);
    }

    @Test
    void settingsOfAnInstanceThatMakeNoSenseAreRefusedByTheirPath() {
        assertThatThrownBy(() -> RefrainSettings.defaults().maxKeysPerScope(0))
                .hasMessageContaining("max-keys-per-scope");
        assertThatThrownBy(() ->
                        new RefrainSettings.MaintenanceSchedule(Duration.ZERO, Duration.ZERO, Duration.ofMinutes(1)))
                .hasMessageContaining("maintenance.sweep-interval");
        assertThatThrownBy(() -> new WaiterLimits(-1, 1)).hasMessageContaining("waiters.per-scope");
        assertThatThrownBy(() -> new CacheSettings(-1, Duration.ZERO)).hasMessageContaining("cache.max-bytes");
        assertThatThrownBy(() -> new CacheSettings(1, Duration.ofDays(2))).hasMessageContaining("cache.max-age");
    }

    private Refrain refusing(String namespace) {
        return world.process(world.settings().operationCheck((asked, operation) -> {
            if (asked.equals(namespace)) {
                throw new IllegalStateException(operation + " must not use " + asked);
            }
        }));
    }

    @Test
    void checkOfTheInstanceRefusesAnOperationHoweverItRuns() {
        var process = refusing("ledger");
        var pay = process.operation("pay", String.class).namespace("ledger");
        var raw = process.operation("ledger");
        var transactions = new InMemoryTransactionFactory(world.store);

        for (ThrowingCallable made : List.<ThrowingCallable>of(
                () -> pay.leased(LeaseExpiryPolicy.RESUME),
                () -> pay.transactional(transactions),
                () -> pay.phased(transactions))) {
            assertThatThrownBy(made).isInstanceOf(IllegalStateException.class).hasMessage("pay must not use ledger");
        }
        assertThatThrownBy(() -> raw.leased(LeaseExpiryPolicy.RESUME)).hasMessage("ledger must not use ledger");
        assertThatCode(() -> process.operation("pay", String.class).leased(LeaseExpiryPolicy.RESUME))
                .doesNotThrowAnyException();
    }

    @Test
    void checkIsNotAskedForOperationThatIsRefusedAnyway() {
        var asked = new ArrayList<String>();
        var process = world.process(world.settings().operationCheck((namespace, operation) -> asked.add(namespace)));

        assertThatThrownBy(() ->
                        process.operation("pay").storeTimeout(Duration.ZERO).leased(LeaseExpiryPolicy.RESUME))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(asked).isEmpty();
    }

    @Test
    void checkIsNotAskedForTheHealthCheckThatEveryInstanceHas() {
        assertThatCode(() -> new ClaimHealthCheck(refusing("refrain.health")).checkClaims())
                .doesNotThrowAnyException();
    }
}
