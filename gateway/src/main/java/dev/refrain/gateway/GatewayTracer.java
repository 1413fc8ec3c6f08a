package dev.refrain.gateway;

import dev.refrain.gateway.internal.config.GatewayConfigException;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.jspecify.annotations.Nullable;

/**
 * Traces each request as an OpenTelemetry span that continues the client's trace, if the environment names a collector. Spans carry the
 * outcome, and no key, scope, path or header. Thread-safe.
 */
final class GatewayTracer implements AutoCloseable {

    /** Variables that switch tracing on; OpenTelemetry itself reads the others. */
    private static final Set<String> SWITCHES =
            Set.of("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_TRACES_EXPORTER");

    private static final Map<String, String> DEFAULTS = Map.of(
            "otel.service.name", "refrain-gateway",
            "otel.exporter.otlp.protocol", "http/protobuf",
            "otel.metrics.exporter", "none",
            "otel.logs.exporter", "none");

    private static final String CONTEXT = GatewayTracer.class.getName() + ".context";
    private static final String ROUTE = GatewayTracer.class.getName() + ".route";
    private static final long FLUSH_SECONDS = 5;

    private final Optional<OpenTelemetrySdk> sdk;

    private GatewayTracer(Optional<OpenTelemetrySdk> sdk) {
        this.sdk = sdk;
    }

    static GatewayTracer off() {
        return new GatewayTracer(Optional.empty());
    }

    static GatewayTracer from(Map<String, String> environment) {
        if (SWITCHES.stream().noneMatch(environment::containsKey)) {
            return off();
        }
        try {
            return new GatewayTracer(Optional.of(AutoConfiguredOpenTelemetrySdk.builder()
                    .disableShutdownHook()
                    .addPropertiesSupplier(() -> properties(environment))
                    .build()
                    .getOpenTelemetrySdk()));
        } catch (RuntimeException unusable) {
            throw new GatewayConfigException(
                    "Cannot set up OpenTelemetry from the OTEL_… variables: " + unusable.getMessage()
                            + ". OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf here.",
                    unusable);
        }
    }

    private static Map<String, String> properties(Map<String, String> environment) {
        var properties = new HashMap<>(DEFAULTS);
        environment.forEach((name, value) -> {
            if (name.startsWith("OTEL_")) {
                properties.put(name.toLowerCase(Locale.ROOT).replace('_', '.'), value);
            }
        });
        return properties;
    }

    void begin(Request request, Response response) {
        sdk.ifPresent(on -> begin(on, request, response));
    }

    private static void begin(OpenTelemetry telemetry, Request request, Response response) {
        String method = HttpMethod.fromString(request.getMethod()) == null ? "_OTHER" : request.getMethod();
        var parent = telemetry
                .getPropagators()
                .getTextMapPropagator()
                .extract(Context.root(), request, new RequestHeaderGetter());
        var span = telemetry
                .getTracer("dev.refrain.gateway")
                .spanBuilder(method)
                .setParent(parent)
                .setSpanKind(SpanKind.SERVER)
                .setAttribute("http.request.method", method)
                .startSpan();
        request.setAttribute(CONTEXT, parent.with(span));
        Request.addCompletionListener(request, failure -> end(span, method, request, response, failure));
    }

    private static void end(Span span, String method, Request request, Response response, @Nullable Throwable failure) {
        if (request.getAttribute(ROUTE) instanceof String route) {
            span.updateName(method + " " + route).setAttribute("http.route", route);
        }
        int status = response.getStatus();
        span.setAttribute("http.response.status_code", status);
        span.setAttribute("refrain.outcome", GatewayRequestOutcome.from(request).toString());
        if (failure != null || status >= 500) {
            span.setStatus(StatusCode.ERROR);
        }
        span.end();
    }

    /** Records the route of the request as it is configured. */
    static void route(Request request, String route) {
        request.setAttribute(ROUTE, route);
    }

    /** Sends this span's context to the upstream in place of the client's. */
    void propagate(Request request, org.eclipse.jetty.client.Request prepared) {
        if (sdk.isPresent() && request.getAttribute(CONTEXT) instanceof Context context) {
            prepared.headers(headers -> sdk.get()
                    .getPropagators()
                    .getTextMapPropagator()
                    .inject(context, headers, (fields, name, value) -> {
                        if (fields != null) {
                            fields.put(name, value);
                        }
                    }));
        }
    }

    /** Exports the spans that are still buffered, for a few seconds at most. */
    @Override
    public void close() {
        sdk.ifPresent(on -> on.shutdown().join(FLUSH_SECONDS, TimeUnit.SECONDS));
    }

    private static final class RequestHeaderGetter implements TextMapGetter<Request> {
        @Override
        public Iterable<String> keys(Request request) {
            return request.getHeaders().getFieldNamesCollection();
        }

        @Override
        public @Nullable String get(@Nullable Request request, String name) {
            return request == null ? null : request.getHeaders().get(name);
        }
    }
}
