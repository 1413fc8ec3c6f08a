package dev.refrain.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.Refrain;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.ScopedKey;
import dev.refrain.http.OperationMode;
import dev.refrain.http.Route;
import dev.refrain.http.RoutePolicy;
import dev.refrain.http.cases.BodyFlood;
import dev.refrain.http.cases.SmallHeapProcess;
import dev.refrain.http.edge.BufferBudget;
import dev.refrain.http.edge.RouteProtection;
import dev.refrain.store.jdbc.JdbcStore;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A filter in a Tomcat of 96 MB, and connections that want all its memory. */
class ServletMemoryAttackTest {

    private static final Duration EACH = Duration.ofMillis(Boolean.getBoolean("tests.long") ? 30_000 : 1_500);
    private static final Duration LONG = Duration.ofSeconds(15);

    @TempDir
    private Path folder;

    /** The server: a handler that reads its body and keeps nothing of it. */
    static final class Server {

        private Server() {}

        public static void main(String[] arguments) throws Exception {
            var route = Route.of(
                    "POST /pay",
                    RoutePolicy.of(OperationMode.leased(LeaseExpiryPolicy.HOLD))
                            .run(run -> run.withStoreTimeout(LONG)));
            var refrain = Refrain.using(JdbcStore.sqlite(Path.of(arguments[0])));
            var filter = TestFilterFactory.of(refrain, List.of(route), BufferBudget.ofHeap());
            var edge = TomcatEdge.start(filter, new Reading());
            System.out.println("port " + edge.port());
        }
    }

    private static final class Reading extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            request.getInputStream().transferTo(OutputStream.nullOutputStream());
            response.setStatus(201);
            response.getOutputStream().print("paid");
        }
    }

    @Test
    void honestRequestsPassBesideConnectionsThatWantAllMemory() throws Exception {
        var database = folder.resolve("keys.db");
        BodyFlood flood;
        try (var server = SmallHeapProcess.start(Server.class, "96m", database.toString())) {
            flood = new BodyFlood(server.port(), "/pay");
            flood.warmUp(60);
            flood.run(EACH);

            assertThat(server.isAlive()).isTrue();
        }
        flood.requireThatHonestRequestsPassed();
        try (var store = JdbcStore.sqlite(database);
                var refrain = Refrain.using(store)) {
            assertThat(refrain.admin().unsettledCounts().attention()).isZero();
            flood.honest()
                    .forEach((key, status) -> assertThat(refrain.admin()
                                    .find(new ScopedKey(BodyFlood.SCOPE, RouteProtection.NAMESPACE, key))
                                    .isPresent())
                            .as("claimed, answered with " + status)
                            .isEqualTo(status == 201));
        }
    }
}
