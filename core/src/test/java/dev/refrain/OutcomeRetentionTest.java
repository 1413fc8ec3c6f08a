package dev.refrain;

import static dev.refrain.testing.SharedStoreFixture.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Retention;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** For how long an outcome is kept. */
class OutcomeRetentionTest extends LeasedPaymentTestBase {

    @Test
    void afterItsRetentionTheSameKeyIsANewRequestWithANewRecord() {
        var first = pay.run(OperationCall.scope(SCOPE).key("key-1").request("one euro"), claim -> charge());
        var id = world.record("pay", "key-1").orElseThrow().id();
        world.clock.advance(Duration.ofHours(24).minusNanos(1));
        assertThat(pay.run(OperationCall.scope(SCOPE).key("key-1").request("one euro"), claim -> charge()))
                .isEqualTo(first);

        world.clock.advance(Duration.ofNanos(1));

        assertThat(pay.run(OperationCall.scope(SCOPE).key("key-1").request("another request"), claim -> charge())
                        .id())
                .isEqualTo("p-2");
        assertThat(world.record("pay", "key-1").orElseThrow().id()).isNotEqualTo(id);
    }

    @Test
    void outcomeIsKeptAtLeastAnHourAfterCompletion() {
        var brief = refrain.operation("brief", Payment.class)
                .retention(Duration.ofMinutes(1))
                .leased(LeaseExpiryPolicy.RESUME);
        brief.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> charge());

        world.clock.advance(Duration.ofMinutes(59));

        assertThat(brief.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> charge())
                        .id())
                .isEqualTo("p-1");
    }

    @Test
    void forEverIsForEver() {
        var ledger = refrain.operation("ledger", Payment.class)
                .retention(Retention.FOREVER)
                .leased(LeaseExpiryPolicy.RESUME);
        ledger.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> charge());

        world.clock.advance(Duration.ofDays(36_500));
        world.memory.reap(1_000);

        assertThat(ledger.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> charge())
                        .id())
                .isEqualTo("p-1");
    }

    @Test
    void workCanKeepItsOutcomeForAnotherTime() {
        pay.run(OperationCall.scope(SCOPE).key("longer").request("x"), claim -> {
            claim.retainFor(Retention.of(Duration.ofDays(30)));
            return charge();
        });
        pay.run(OperationCall.scope(SCOPE).key("shorter").request("x"), claim -> {
            claim.retainFor(Retention.of(Duration.ofHours(2)));
            return charge();
        });

        assertThat(lifeLeft("pay", "longer")).contains(Duration.ofDays(30));
        assertThat(lifeLeft("pay", "shorter")).contains(Duration.ofHours(2));
    }

    @Test
    void workCannotCutShortTheTimeForWhichClientsRetry() {
        var patient = refrain.operation("patient", Payment.class)
                .clientRetryWindow(Duration.ofHours(12))
                .leased(LeaseExpiryPolicy.RESUME);
        patient.run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> {
            claim.retainFor(Retention.of(Duration.ofHours(2)));
            return charge();
        });

        assertThat(lifeLeft("patient", "key-1")).contains(Duration.ofHours(24));
    }

    private Optional<Duration> lifeLeft(String namespace, String key) {
        return world.record(namespace, key).orElseThrow().remainingLife();
    }
}
