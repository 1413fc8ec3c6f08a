package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.RequestMismatchException;
import dev.refrain.api.ScopedKey;
import dev.refrain.api.TraceId;
import dev.refrain.http.cases.RawHttpRequest;
import dev.refrain.metrics.ObservationListener;
import dev.refrain.spring.actuator.RefrainObservationAutoConfiguration;
import dev.refrain.store.memory.MemoryStore;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A protected call is a span around its handler's work, in OpenTelemetry by way of Micrometer. */
class TracingTest {

    /** On as soon as a bridge is on the path. Beside its handler in the registry, the test's own spans are not exported. */
    private static final String TRACING_OF_BOOT_3 =
            "org.springframework.boot.actuate.autoconfigure.tracing.MicrometerTracingAutoConfiguration";

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final AttributeKey<String> OPERATION = AttributeKey.stringKey("operation");
    private static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("outcome");
    private static final AttributeKey<String> RECORD = AttributeKey.stringKey("refrain.record");

    private final InMemorySpanExporter spans = InMemorySpanExporter.create();
    private final ObservationRegistry registry = ObservationRegistry.create();

    private final Tracer tracer;

    TracingTest() {
        var provider = SdkTracerProvider.builder()
                .addSpanProcessor(SimpleSpanProcessor.create(spans))
                .build();
        tracer = new OtelTracer(provider.get("test"), new OtelCurrentTraceContext(), event -> {});
        registry.observationConfig().observationHandler(new DefaultTracingObservationHandler(tracer));
    }

    @RestController
    static class Blocking {
        private final ObservationRegistry registry;

        Blocking(ObservationRegistry registry) {
            this.registry = registry;
        }

        @PostMapping("/charges")
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME)
        String charge(@RequestBody String body) {
            return Observation.createNotStarted("work", registry).observe(() -> body);
        }
    }

    /** Its work is on another thread than its call. */
    @RestController
    static class Reactive {
        private final ObservationRegistry registry;

        Reactive(ObservationRegistry registry) {
            this.registry = registry;
        }

        @PostMapping("/charges")
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME)
        Mono<String> charge(@RequestBody String body) {
            return Mono.delay(Duration.ofMillis(1), Schedulers.parallel()).then(Mono.deferContextual(context -> {
                Observation around =
                        context.get(io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor.KEY);
                return Mono.just(Observation.createNotStarted("work", registry)
                        .parentObservation(around)
                        .observe(() -> body));
            }));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OnNetty {
        @Bean
        BootParts.Netty netty() {
            return new BootParts.Netty();
        }
    }

    enum Framework {
        MVC(WebApplicationType.SERVLET, Blocking.class),
        WEBFLUX(WebApplicationType.REACTIVE, Reactive.class, OnNetty.class);

        private final WebApplicationType type;
        private final Class<?>[] parts;

        Framework(WebApplicationType type, Class<?>... parts) {
            this.type = type;
            this.parts = parts;
        }
    }

    private void send(TestApplication application, String key, String body) throws IOException {
        var answer = application.send(
                RawHttpRequest.post("/charges").key("\"" + key + "\"").json(body));
        assertThat(answer.status()).isIn(200, 422);
    }

    private List<SpanData> named(String name) {
        return spans.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .toList();
    }

    private void awaitCalls(int finished) {
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(spans.getFinishedSpanItems())
                        .extracting(SpanData::getName)
                        .filteredOn("refrain post /charges"::equals)
                        .hasSize(finished));
    }

    @ParameterizedTest
    @EnumSource
    void workIsBelowItsCallAndAReplayNamesTheSameRecord(Framework framework) throws Exception {
        String key = UUID.randomUUID().toString();
        try (var application = TestApplication.startWithout(
                TRACING_OF_BOOT_3,
                framework.type,
                beans -> beans.registerBean(ObservationRegistry.class, () -> registry),
                framework.parts)) {
            // Each span is exported after its answer is on its way: the next request must not overtake it.
            send(application, key, "{\"amount\":1}");
            awaitCalls(1);
            send(application, key, "{\"amount\":1}");
            awaitCalls(2);
            send(application, key, "{\"amount\":2}");
            awaitCalls(3);
        }

        var calls = named("refrain post /charges");
        assertThat(calls)
                .extracting(call -> call.getAttributes().get(OUTCOME))
                .containsExactly("first", "replayed", "mismatch");
        assertThat(calls)
                .extracting(call -> call.getAttributes().get(OPERATION))
                .containsOnly("POST /charges");
        assertThat(named("work"))
                .singleElement()
                .satisfies(work -> assertThat(work.getParentSpanId())
                        .isEqualTo(calls.getFirst().getSpanId()));
        var record = calls.getFirst().getAttributes().get(RECORD);
        assertThat(record).isNotBlank();
        assertThat(calls.get(1).getAttributes().get(RECORD)).isEqualTo(record);
        assertThat(spans.getFinishedSpanItems().toString())
                .as("no key and no body")
                .doesNotContain(key)
                .doesNotContain("amount");
    }

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(RefrainAutoConfiguration.class, RefrainObservationAutoConfiguration.class))
            .withBean(MemoryStore.class, MemoryStore::new);

    @Test
    void beansMethodOrPlainCallIsObservedAlike() {
        runner.withBean(ObservationRegistry.class, () -> registry).run(context -> {
            var pay = context.getBean(Refrain.class)
                    .operation("pay", String.class)
                    .leased(LeaseExpiryPolicy.RESUME);
            assertThatThrownBy(() -> pay.run(OperationCall.scope("").key("k").request("r"), claim -> {
                        throw new IllegalStateException("no answer");
                    }))
                    .hasMessage("no answer");
            pay.run(OperationCall.scope("").key("k").request("r"), claim -> "paid");
            pay.run(OperationCall.scope("").key("k").request("r"), claim -> "paid");
            assertThatThrownBy(() -> pay.run(OperationCall.scope("").key("k").request("other"), claim -> "paid"))
                    .isInstanceOf(RequestMismatchException.class);
        });

        var calls = named("refrain pay");
        assertThat(calls)
                .extracting(call -> call.getAttributes().get(OUTCOME))
                .containsExactly("failed", "resumed", "replayed", "mismatch");
        assertThat(calls.subList(0, 3))
                .extracting(call -> call.getAttributes().get(RECORD))
                .doesNotContainNull()
                .containsOnly(calls.getFirst().getAttributes().get(RECORD));
    }

    @Test
    void recordNamesTheTraceOfTheCurrentSpan() {
        runner.withBean(ObservationRegistry.class, () -> registry)
                .withBean(Tracer.class, () -> tracer)
                .run(context -> {
                    var refrain = context.getBean(Refrain.class);
                    var pay = refrain.operation("pay", String.class).leased(LeaseExpiryPolicy.RESUME);
                    var span = tracer.nextSpan().start();
                    try (var current = tracer.withSpan(span)) {
                        pay.run(OperationCall.scope("").key("k").request("r"), claim -> "paid");
                    } finally {
                        span.end();
                    }

                    assertThat(refrain.admin()
                                    .explain(new ScopedKey("", "pay", "k"))
                                    .orElseThrow()
                                    .traceId())
                            .map(TraceId::toString)
                            .contains(span.context().traceId());
                });
    }

    @Test
    void withoutARegistryNothingIsObserved() {
        runner.run(context -> {
            assertThat(context).doesNotHaveBean(ObservationListener.class);
            context.getBean(Refrain.class)
                    .operation("pay", String.class)
                    .leased(LeaseExpiryPolicy.RESUME)
                    .run(OperationCall.scope("").key("k").request("r"), claim -> "paid");
        });
        assertThat(spans.getFinishedSpanItems()).isEmpty();
    }
}
