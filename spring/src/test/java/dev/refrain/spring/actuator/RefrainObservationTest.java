package dev.refrain.spring.actuator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.ScopedKey;
import dev.refrain.metrics.RecordGauges;
import dev.refrain.servers.PostgresServer;
import dev.refrain.spring.RefrainAutoConfiguration;
import dev.refrain.store.RecordState;
import dev.refrain.store.jdbc.JdbcStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What an operator sees and does. */
class RefrainObservationTest {

    private final PGSimpleDataSource source = new PGSimpleDataSource();
    private final ApplicationContextRunner runner;

    RefrainObservationTest() {
        source.setUrl(PostgresServer.shared().freshDatabase());
        runner = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        RefrainAutoConfiguration.class, RefrainObservationAutoConfiguration.class))
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withBean(JdbcStore.class, () -> JdbcStore.on(source));
    }

    private void sql(String statement) throws Exception {
        try (var connection = source.getConnection();
                var asked = connection.createStatement()) {
            asked.execute(statement);
        }
    }

    @Test
    void healthIsDownWhenClaimsWouldFailAndUpAgainWhenNot() {
        runner.run(context -> {
            var health = context.getBean(RefrainHealthIndicator.class);
            assertThat(health.health().getStatus()).isEqualTo(Status.UP);

            sql("ALTER TABLE refrain_record RENAME TO hidden");
            assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);

            sql("ALTER TABLE hidden RENAME TO refrain_record");
            assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        });
    }

    @Test
    void whatHappensIsMeasured() {
        runner.run(context -> {
            context.getBean(Refrain.class)
                    .operation("pay", String.class)
                    .leased(LeaseExpiryPolicy.RESUME)
                    .run(OperationCall.scope("").key("k").request("request"), claim -> "paid");

            assertThat(context.getBean(MeterRegistry.class)
                            .get("refrain.run")
                            .tags("operation", "pay", "end", "completed")
                            .timer()
                            .count())
                    .isEqualTo(1);
        });
    }

    @Test
    void attentionIsListedAndDecidedByWhoIsAuthenticated() {
        runner.run(context -> {
            var refrain = context.getBean(Refrain.class);
            var endpoint = context.getBean(RefrainActuatorEndpoint.class);
            var held = refrain.operation("pay", String.class).leased(LeaseExpiryPolicy.HOLD);
            held.run(OperationCall.scope("").key("k").request("request"), claim -> "paid");
            sql(
                    "UPDATE refrain_record SET state = 1, completed_at = NULL, lease_until = now() - interval '1 hour' WHERE key = 'k'");
            context.getBean(JdbcStore.class).sweep(Duration.ZERO, 100);
            var waiting = endpoint.overview().attention().getFirst();

            var nobody = endpoint.resolve(
                    waiting.lookup(),
                    waiting.id(),
                    waiting.fence(),
                    "run-again",
                    "looked at the bank",
                    null,
                    null,
                    SecurityContext.NONE);
            assertThat(nobody.done()).isFalse();

            var done = endpoint.resolve(
                    waiting.lookup(),
                    waiting.id(),
                    waiting.fence(),
                    "run-again",
                    "looked at the bank",
                    null,
                    null,
                    as("alice"));
            assertThat(done.done()).isTrue();
            assertThat(refrain.admin()
                            .find(new ScopedKey("", "pay", "k"))
                            .orElseThrow()
                            .state())
                    .isEqualTo(RecordState.RELEASED);
            assertThat(endpoint.overview().attention()).isEmpty();
            assertThat(endpoint.overview().audit().getFirst().who()).isEqualTo("alice");
        });
    }

    /** In the middle of a run there is one, as old as its claim; after it there is none. */
    @Test
    void whatIsNotSettledIsCounted() {
        runner.run(context -> {
            var endpoint = context.getBean(RefrainActuatorEndpoint.class);
            context.getBean(RecordGauges.class).bindTo(context.getBean(MeterRegistry.class));
            var seen = new ArrayList<RefrainActuatorEndpoint.Counts>();
            context.getBean(Refrain.class)
                    .operation("pay", String.class)
                    .leased(LeaseExpiryPolicy.RESUME)
                    .run(OperationCall.scope("").key("k").request("request"), claim -> {
                        sql("UPDATE refrain_record SET claimed_at = now() - interval '6 minutes'");
                        seen.add(endpoint.overview().counts());
                        return "paid";
                    });

            assertThat(seen).singleElement().satisfies(counts -> {
                assertThat(counts.inProgress()).isEqualTo(1);
                assertThat(counts.leaseOver()).isZero();
                assertThat(counts.orMore()).isFalse();
                assertThat(counts.oldestInProgress()).isBetween(Duration.ofMinutes(6), Duration.ofMinutes(7));
            });
            assertThat(endpoint.overview().counts())
                    .isEqualTo(new RefrainActuatorEndpoint.Counts(0, 0, 0, null, false));
            assertThat(context.getBean(MeterRegistry.class)
                            .get("refrain.in.progress")
                            .gauge()
                            .value())
                    .isZero();
        });
    }

    private static SecurityContext as(String name) {
        return new SecurityContext() {
            @Override
            public Principal getPrincipal() {
                return () -> name;
            }

            @Override
            public boolean isUserInRole(String role) {
                return false;
            }
        };
    }
}
