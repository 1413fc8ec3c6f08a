package dev.refrain.http.servlet;

import static dev.refrain.http.cases.RawHttpRequest.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.Refrain;
import dev.refrain.api.EffectUnknownException;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.ScopedKey;
import dev.refrain.http.OperationMode;
import dev.refrain.http.RoutePolicy;
import dev.refrain.http.cases.CapturedWarningLines;
import dev.refrain.http.cases.RawHttpConnection;
import dev.refrain.http.edge.RouteProtection;
import dev.refrain.observe.LoggedKeyFormat;
import dev.refrain.store.memory.MemoryStore;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a person reads at night about a handler that does not know whether it took effect. */
class UnknownOutcomeLogTest {

    @ParameterizedTest
    @EnumSource
    void lineSaysWhichRequestItWasWhatIsKnownAndWhatToDo(LoggedKeyFormat format) throws Exception {
        String key = UUID.randomUUID().toString();
        var store = new MemoryStore();
        var refrain = Refrain.using(store);
        var filter = RefrainFilter.builder(refrain)
                .scope(ScopeResolver.shared())
                .route(
                        "POST /payments/{id}",
                        RoutePolicy.of(OperationMode.leased(LeaseExpiryPolicy.HOLD))
                                .key(policy -> policy.with(format)))
                .build();
        var servlet = new HttpServlet() {
            private static final long serialVersionUID = 1L;

            @Override
            protected void service(HttpServletRequest request, HttpServletResponse response) throws ServletException {
                throw new ServletException(new EffectUnknownException("The bank did not answer.\n\u001b[2J", null));
            }
        };
        try (store;
                refrain;
                var log = new CapturedWarningLines(CapturedWarningLines.UNKNOWN_OUTCOMES);
                var edge = TomcatEdge.start(List.of(filter), servlet);
                var wire = new RawHttpConnection(edge.port())) {
            wire.send(post("/payments/7?card=4111").key(key));
            assertThat(wire.receive().status()).isEqualTo(409);

            var record = refrain.admin()
                    .find(new ScopedKey("", RouteProtection.NAMESPACE, key))
                    .orElseThrow();
            String shown = switch (format) {
                case SHORTENED -> ", key " + key.substring(0, 4) + "…";
                case FULL -> ", key " + key;
                case OFF -> "";
            };
            assertThat(log.containing(record.claim().id().toString()))
                    .singleElement()
                    .asString()
                    .startsWith("Unknown outcome of POST /payments/7" + shown + ", record "
                            + record.claim().id() + ": The bank did not answer.??[2J")
                    .contains("refrain keys resolve", "refrain keys release")
                    .doesNotContain("4111", "Exception");
        }
    }
}
