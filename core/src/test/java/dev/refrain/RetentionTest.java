package dev.refrain;

import static dev.refrain.testing.World.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.outcome.Retention;
import dev.refrain.store.TakeOver;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** For how long an outcome is kept. */
class RetentionTest extends Paying {

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
                .retention(Retention.FOREVER)
                .leased(TakeOver.RESUME);
        ledger.run(SCOPE, "key-1", "x", claim -> charge());

        world.clock.advance(Duration.ofDays(36_500));
        world.memory.reap(1_000);

        assertThat(ledger.run(SCOPE, "key-1", "x", claim -> charge()).id()).isEqualTo("p-1");
    }

    @Test
    void the_work_can_keep_its_outcome_for_another_time() {
        pay.run(SCOPE, "longer", "x", claim -> {
            claim.retainFor(Retention.of(Duration.ofDays(30)));
            return charge();
        });
        pay.run(SCOPE, "shorter", "x", claim -> {
            claim.retainFor(Retention.of(Duration.ofHours(2)));
            return charge();
        });

        assertThat(lifeLeft("pay", "longer")).contains(Duration.ofDays(30));
        assertThat(lifeLeft("pay", "shorter")).contains(Duration.ofHours(2));
    }

    @Test
    void the_work_cannot_cut_short_the_time_for_which_clients_retry() {
        var patient = refrain.operation("patient", Payment.class)
                .clientRetryWindow(Duration.ofHours(12))
                .leased(TakeOver.RESUME);
        patient.run(SCOPE, "key-1", "x", claim -> {
            claim.retainFor(Retention.of(Duration.ofHours(2)));
            return charge();
        });

        assertThat(lifeLeft("patient", "key-1")).contains(Duration.ofHours(24));
    }

    private Optional<Duration> lifeLeft(String namespace, String key) {
        return world.record(namespace, key).orElseThrow().remainingLife();
    }
}
