package dev.refrain.spring.actuator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.api.AttentionRequiredException;
import dev.refrain.api.EffectUnknownException;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Payload;
import dev.refrain.api.RefrainException;
import dev.refrain.api.ReplayedFailureException;
import dev.refrain.api.ScopedKey;
import dev.refrain.http.KeptRequest;
import dev.refrain.metrics.RecordGauges;
import dev.refrain.servers.PostgresServer;
import dev.refrain.spring.RefrainAutoConfiguration;
import dev.refrain.store.OutcomeFormat;
import dev.refrain.store.RecordState;
import dev.refrain.store.jdbc.JdbcStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.lang.reflect.Parameter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.json.JsonParserFactory;
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
            assertThat(health.health().getStatus().getCode()).isEqualTo("UP");

            sql("ALTER TABLE refrain_record RENAME TO hidden");
            assertThat(health.health().getStatus().getCode()).isEqualTo("DOWN");

            sql("ALTER TABLE hidden RENAME TO refrain_record");
            assertThat(health.health().getStatus().getCode()).isEqualTo("UP");
        });
    }

    @Test
    void runIsMeasured() {
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
            var waiting = endpoint.overview(null).attention().getFirst();
            assertThat(waiting.key()).isEqualTo("k");
            assertThat(waiting.explanation().operation()).isEqualTo("pay");
            assertThat(waiting.explanation().ageSeconds()).isNotNegative();
            assertThat(waiting.explanation().attempts())
                    .singleElement()
                    .satisfies(attempt -> assertThat(attempt.endReason()).startsWith("outcome unknown"));

            var nobody = endpoint.resolve(
                    waiting.lookup().toString(),
                    waiting.id().toString(),
                    Long.toString(waiting.fence()),
                    "run-again",
                    "looked at the bank",
                    null,
                    null,
                    null,
                    null,
                    SecurityContext.NONE);
            assertThat(nobody.getBody().done()).isFalse();

            var done = endpoint.resolve(
                    waiting.lookup().toString(),
                    waiting.id().toString(),
                    Long.toString(waiting.fence()),
                    "run-again",
                    "looked at the bank",
                    null,
                    null,
                    null,
                    null,
                    as("alice"));
            assertThat(done.getBody().done()).isTrue();
            assertThat(refrain.admin()
                            .find(new ScopedKey("", "pay", "k"))
                            .orElseThrow()
                            .state())
                    .isEqualTo(RecordState.RELEASED);
            assertThat(endpoint.overview(null).attention()).isEmpty();
            assertThat(endpoint.overview(null).audit().getFirst().who()).isEqualTo("alice");

            assertThatThrownBy(() -> held.run(OperationCall.scope("").key("f").request("request"), claim -> {
                        throw new EffectUnknownException("The bank did not answer.", null);
                    }))
                    .isInstanceOf(RefrainException.class);
            var hopeless = endpoint.overview(null).attention().getFirst();
            assertThat(endpoint.resolve(
                                    hopeless.lookup().toString(),
                                    hopeless.id().toString(),
                                    Long.toString(hopeless.fence()),
                                    "failed",
                                    "nobody wants it",
                                    null,
                                    null,
                                    null,
                                    null,
                                    as("alice"))
                            .getBody()
                            .done())
                    .isTrue();
            assertThatThrownBy(
                            () -> held.run(OperationCall.scope("").key("f").request("request"), claim -> "paid again"))
                    .isInstanceOf(ReplayedFailureException.class)
                    .hasMessageContaining("nobody wants it");
        });
    }

    /** The body of the manual's curl has the parameters of the endpoint, and decides as it says. */
    @Test
    void decisionOfTheManualIsOneThatTheEndpointTakes() throws Exception {
        String page = Files.readString(Path.of("../docs/operations.md"));
        var curl = Pattern.compile("actuator/refrain -d '(\\{.*?\\})'", Pattern.DOTALL)
                .matcher(page);
        assertThat(curl.find()).isTrue();
        Map<String, Object> sent = JsonParserFactory.getJsonParser().parseMap(curl.group(1));
        var resolve = Stream.of(RefrainActuatorEndpoint.class.getMethods())
                .filter(method -> method.getName().equals("resolve"))
                .findFirst()
                .orElseThrow();
        runner.run(context -> {
            var refrain = context.getBean(Refrain.class);
            var held = refrain.operation("pay", String.class).leased(LeaseExpiryPolicy.HOLD);
            assertThatThrownBy(() -> held.run(OperationCall.scope("").key("k").request("request"), claim -> {
                throw new EffectUnknownException("the bank did not answer", null);
            }));
            var endpoint = context.getBean(RefrainActuatorEndpoint.class);
            var waiting = endpoint.overview(null).attention().getFirst();
            sent.putAll(Map.of("lookup", waiting.lookup(), "id", waiting.id(), "fence", waiting.fence()));
            sent.put("security", as("alice"));
            // The manual decides about the default store, which needs no name.
            assertThat(Stream.of(resolve.getParameters())
                            .map(Parameter::getName)
                            .filter(name -> !name.equals("store")))
                    .containsExactlyInAnyOrderElementsOf(sent.keySet());

            resolve.invoke(
                    endpoint,
                    Stream.of(resolve.getParameters())
                            .map(parameter -> asSpringBinds(sent.get(parameter.getName())))
                            .toArray());

            var decided = refrain.admin().find(new ScopedKey("", "pay", "k")).orElseThrow();
            assertThat(decided.state()).isEqualTo(RecordState.COMPLETED);
            var outcome = OutcomeFormat.decode(decided.outcome().orElseThrow());
            assertThat(outcome.status()).isEqualTo(201);
            assertThat(new String(outcome.body().bytes(), StandardCharsets.UTF_8))
                    .isEqualTo("{}");
        });
        assertThat(page).contains("\"verdict\": \"run-again\"");
    }

    @Test
    void keptRequestIsRevealedToWhoIsAuthenticatedAndAudited() {
        runner.run(context -> {
            var refrain = context.getBean(Refrain.class);
            var endpoint = context.getBean(RefrainActuatorEndpoint.class);
            var kept = new KeptRequest(
                    "POST",
                    "/pay",
                    List.of(),
                    5,
                    new KeptRequest.KeptBody.WholeBody(Payload.of("pay 7".getBytes(StandardCharsets.UTF_8))));
            var held = refrain.operation("pay", String.class).leased(LeaseExpiryPolicy.HOLD);
            var call = OperationCall.scope("").key("k").request("request");
            assertThatThrownBy(() -> held.run(call.withKeptRequest(() -> Optional.of(kept.encode())), claim -> {
                        throw new EffectUnknownException("The bank did not answer.", null);
                    }))
                    .isInstanceOf(AttentionRequiredException.class);
            var id = endpoint.overview(null).attention().getFirst().id().toString();

            assertThat(endpoint.reveal(id, "ticket 7", null, SecurityContext.NONE)
                            .getBody()
                            .request())
                    .isNull();
            assertThat(endpoint.reveal(id, " ", null, as("alice")).getBody().request())
                    .isNull();
            assertThat(endpoint.reveal(UUID.randomUUID().toString(), "ticket 7", null, as("alice"))
                            .getBody()
                            .detail())
                    .contains("No record");
            assertThat(endpoint.overview(null).audit()).isEmpty();

            var revealed =
                    endpoint.reveal(id, "ticket 7", null, as("alice")).getBody().request();
            assertThat(revealed).isEqualTo(KeptRequestEntry.of(kept));
            assertThat(endpoint.overview(null).audit()).singleElement().satisfies(entry -> {
                assertThat(entry.action()).isEqualTo("reveal");
                assertThat(entry.who()).isEqualTo("alice");
                assertThat(entry.why()).isEqualTo("ticket 7");
            });
        });
    }

    /** In the middle of a run there is one, as old as its claim; after it there is none. */
    @Test
    void unsettledRecordIsCounted() {
        runner.run(context -> {
            var endpoint = context.getBean(RefrainActuatorEndpoint.class);
            context.getBean(RecordGauges.class).bindTo(context.getBean(MeterRegistry.class));
            var seen = new ArrayList<RefrainActuatorEndpoint.Counts>();
            context.getBean(Refrain.class)
                    .operation("pay", String.class)
                    .leased(LeaseExpiryPolicy.RESUME)
                    .run(OperationCall.scope("").key("k").request("request"), claim -> {
                        sql("UPDATE refrain_record SET claimed_at = now() - interval '6 minutes'");
                        seen.add(endpoint.overview(null).counts());
                        return "paid";
                    });

            assertThat(seen).singleElement().satisfies(counts -> {
                assertThat(counts.inProgress()).isEqualTo(1);
                assertThat(counts.leaseOver()).isZero();
                assertThat(counts.orMore()).isFalse();
                assertThat(counts.oldestInProgress()).isBetween(Duration.ofMinutes(6), Duration.ofMinutes(7));
            });
            assertThat(endpoint.overview(null).counts())
                    .isEqualTo(new RefrainActuatorEndpoint.Counts(0, 0, 0, null, false));
            assertThat(context.getBean(MeterRegistry.class)
                            .get("refrain.in.progress")
                            .gauge()
                            .value())
                    .isZero();
        });
    }

    /** Every member of the JSON arrives as a string. */
    private static @Nullable Object asSpringBinds(@Nullable Object sent) {
        return sent == null || sent instanceof SecurityContext ? sent : sent.toString();
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

    /** What runs has no outcome yet; it was shown as failed. */
    @Test
    void callsUnderWayHaveNoOutcome() {
        runner.withBean(ObservationRegistry.class, ObservationRegistry::create).run(context -> {
            var meters = context.getBean(MeterRegistry.class);
            context.getBean(ObservationRegistry.class)
                    .observationConfig()
                    .observationHandler(new DefaultMeterObservationHandler(meters));
            context.getBean(Refrain.class)
                    .operation("pay", String.class)
                    .leased(LeaseExpiryPolicy.RESUME)
                    .run(OperationCall.scope("").key("active").request("request"), claim -> {
                        var active = meters.get("refrain.call.active").longTaskTimer();
                        assertThat(active.activeTasks()).isEqualTo(1);
                        assertThat(active.getId().getTag("operation")).isEqualTo("pay");
                        assertThat(active.getId().getTag("outcome")).isNull();
                        return "paid";
                    });
            assertThat(meters.get("refrain.call")
                            .tag("outcome", "first")
                            .timer()
                            .count())
                    .isEqualTo(1);
        });
    }
}
