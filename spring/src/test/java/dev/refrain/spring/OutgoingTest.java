package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.refrain.Refrain;
import dev.refrain.claim.CurrentClaim;
import dev.refrain.http.outgoing.CallInTransactionException;
import dev.refrain.http.outgoing.Downstream;
import dev.refrain.store.TakeOver;
import dev.refrain.store.memory.MemoryStore;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.restclient.autoconfigure.RestClientAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.web.client.RestClient;

/** Calls to other systems through the application's own RestClient. */
class OutgoingTest {

    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    RefrainAutoConfiguration.class,
                    RefrainOutgoingAutoConfiguration.class,
                    RestClientAutoConfiguration.class))
            .withBean(MemoryStore.class, MemoryStore::new);
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
    }

    private void charge(RestClient client) {
        client.post()
                .uri("http://127.0.0.1:" + provider.getAddress().getPort() + "/charges")
                .attribute(DownstreamInterceptor.STEP, "charge")
                .retrieve()
                .toBodilessEntity();
    }

    @Test
    void aRetryCarriesTheSameKey() {
        runner.run(context -> {
            var client = context.getBean(RestClient.Builder.class).build();
            var pay = context.getBean(Refrain.class)
                    .operation("pay", String.class)
                    .leased(TakeOver.RESUME);
            charge(client);
            for (int attempt = 0; attempt < 2; attempt++) {
                assertThatThrownBy(() -> pay.run("", "k", "r", claim -> {
                            charge(client);
                            throw new IllegalStateException("no answer");
                        }))
                        .hasMessage("no answer");
            }

            assertThat(seen).hasSize(3);
            assertThat(seen.get(0)).isEqualTo("none");
            assertThat(seen.get(1)).startsWith("\"").isEqualTo(seen.get(2));
        });
    }

    @Test
    void insideATransactionItIsRefusedAndNothingIsSent() {
        runner.run(context -> {
            var client = context.getBean(RestClient.Builder.class).build();
            context.getBean(Refrain.class)
                    .operation("pay", String.class)
                    .leased(TakeOver.RESUME)
                    .run("", "k", "r", claim -> {
                        try (var transaction = CurrentClaim.transactional(claim)) {
                            assertThatThrownBy(() -> charge(client)).isInstanceOf(CallInTransactionException.class);
                        }
                        return "";
                    });

            assertThat(seen).isEmpty();
        });
    }

    @Test
    void aWrongSettingIsNamed() {
        runner.withPropertyValues("refrain.outgoing.inside-transaction=maybe")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("refrain.outgoing.inside-transaction is 'maybe'"));
    }
}
