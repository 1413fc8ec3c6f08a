package dev.refrain.http.outgoing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.refrain.Refrain;
import dev.refrain.claim.CurrentClaim;
import dev.refrain.store.TakeOver;
import dev.refrain.store.memory.MemoryStore;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

class DownstreamTest {

    private static final URI CHARGES = URI.create("https://psp.example/charges");

    private final Downstream downstream = new Downstream(InsideTransaction.REFUSE);
    private final Refrain refrain = Refrain.using(new MemoryStore());
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private HttpServer provider;

    @BeforeEach
    void start() throws Exception {
        provider = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        provider.createContext("/", exchange -> {
            seen.add(Optional.ofNullable(exchange.getRequestHeaders().getFirst(Downstream.HEADER))
                    .orElse("none"));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        provider.start();
    }

    @AfterEach
    void stop() {
        provider.stop(0);
        refrain.close();
    }

    private Optional<String> header(String method) {
        return downstream.headerFor(method, CHARGES, Optional.empty());
    }

    @Test
    void outsideOfOperationsAndForReadingThereIsNone() throws Exception {
        assertThat(header("POST")).isEmpty();
        refrain.operation("pay", String.class).leased(TakeOver.RESUME).run("", "k", "r", claim -> {
            assertThat(header("GET")).isEmpty();
            return "";
        });
    }

    @Test
    void theSameCallsOfARetryCarryTheSameKeysAndDifferentCallsDifferentOnes() {
        var pay = refrain.operation("pay", String.class).leased(TakeOver.RESUME);
        for (int attempt = 0; attempt < 2; attempt++) {
            assertThatThrownBy(() -> pay.run("", "k", "r", claim -> {
                        seen.add(header("POST").orElseThrow());
                        seen.add(header("POST").orElseThrow());
                        seen.add(downstream
                                .headerFor("POST", CHARGES, Optional.of("tip"))
                                .orElseThrow());
                        throw new IllegalStateException("the provider is away");
                    }))
                    .hasMessage("the provider is away");
        }

        assertThat(seen.subList(0, 3)).doesNotHaveDuplicates().isEqualTo(seen.subList(3, 6));
        assertThat(seen)
                .allSatisfy(header -> assertThat(header).startsWith("\"").endsWith("\""));
    }

    /** The first may have been done: only its answer was lost. */
    @Disabled(
            "A second unnamed call of one run cannot be told from a retry of the first: each is given a key of its own.")
    @Test
    void aCallThatTheWorkItselfRepeatsAfterAFailureCarriesTheSameKey() throws Exception {
        provider.removeContext("/");
        provider.createContext("/", exchange -> {
            seen.add(Optional.ofNullable(exchange.getRequestHeaders().getFirst(Downstream.HEADER))
                    .orElse("none"));
            exchange.close();
        });
        var address = URI.create("http://127.0.0.1:" + provider.getAddress().getPort() + "/charges");
        try (var client = new KeyedHttpClient(HttpClient.newHttpClient(), downstream)) {
            var request = HttpRequest.newBuilder(address)
                    .POST(HttpRequest.BodyPublishers.ofString("{}"))
                    .build();
            refrain.operation("pay", String.class).leased(TakeOver.RESUME).run("", "k", "r", claim -> {
                for (int attempt = 0; attempt < 2; attempt++) {
                    assertThatThrownBy(() -> client.send(request, HttpResponse.BodyHandlers.discarding()))
                            .isInstanceOf(java.io.IOException.class);
                }
                return "";
            });
        }

        assertThat(seen.stream().distinct()).hasSize(1);
    }

    @Test
    void insideATransactionACallIsRefusedUnlessToldToWarn() {
        refrain.operation("pay", String.class).leased(TakeOver.RESUME).run("", "k", "r", claim -> {
            try (var transaction = CurrentClaim.transactional(claim)) {
                assertThatThrownBy(() -> header("POST"))
                        .isInstanceOf(CallInTransactionException.class)
                        .hasMessageContaining("POST psp.example/charges");
                assertThatThrownBy(() -> header("GET")).isInstanceOf(CallInTransactionException.class);
                assertThat(new Downstream(InsideTransaction.WARN).headerFor("POST", CHARGES, Optional.empty()))
                        .isPresent();
            }
            return "";
        });
    }

    @Test
    void theJdksClientCarriesTheKeyAndKeepsTheCallersOwn() throws Exception {
        var address = URI.create("http://127.0.0.1:" + provider.getAddress().getPort() + "/charges");
        try (var client = new KeyedHttpClient(HttpClient.newHttpClient(), downstream)) {
            var request = HttpRequest.newBuilder(address).POST(HttpRequest.BodyPublishers.ofString("{}"));
            client.send(request.build(), HttpResponse.BodyHandlers.discarding());
            refrain.operation("pay", String.class).leased(TakeOver.RESUME).run("", "k", "r", claim -> {
                client.send(request.build(), HttpResponse.BodyHandlers.discarding());
                client.sendAsync(request.build(), HttpResponse.BodyHandlers.discarding())
                        .join();
                client.send(
                        request.setHeader(Downstream.HEADER, "\"mine\"").build(),
                        HttpResponse.BodyHandlers.discarding());
                return "";
            });
        }

        assertThat(seen).hasSize(4);
        assertThat(seen.get(0)).isEqualTo("none");
        assertThat(seen.get(1)).isNotEqualTo(seen.get(2)).startsWith("\"");
        assertThat(seen.get(3)).isEqualTo("\"mine\"");
    }
}
