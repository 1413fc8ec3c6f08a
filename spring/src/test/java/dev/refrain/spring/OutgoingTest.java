package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.Refrain;
import dev.refrain.claim.CurrentClaim;
import dev.refrain.http.outgoing.CallInTransactionException;
import dev.refrain.http.outgoing.Downstream;
import dev.refrain.servers.RecordingServer;
import dev.refrain.store.TakeOver;
import dev.refrain.store.memory.MemoryStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.restclient.autoconfigure.RestClientAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.web.client.RestClient;

/** Calls to other systems through the application's own RestClient. */
class OutgoingTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    RefrainAutoConfiguration.class,
                    RefrainOutgoingAutoConfiguration.class,
                    RestClientAutoConfiguration.class))
            .withBean(MemoryStore.class, MemoryStore::new);
    private RecordingServer provider;

    @BeforeEach
    void start() throws Exception {
        provider = RecordingServer.of(Downstream.HEADER);
    }

    @AfterEach
    void stop() {
        provider.close();
    }

    private void charge(RestClient client) {
        client.post()
                .uri(provider.at("/charges"))
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

            assertThat(provider.seen()).hasSize(3);
            assertThat(provider.seen().get(0)).isEqualTo("none");
            assertThat(provider.seen().get(1))
                    .startsWith("\"")
                    .isEqualTo(provider.seen().get(2));
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

            assertThat(provider.seen()).isEmpty();
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
