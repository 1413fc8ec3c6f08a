package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.api.CurrentClaim;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.http.outgoing.CallInTransactionException;
import dev.refrain.http.outgoing.DownstreamKeys;
import dev.refrain.http.outgoing.KeyedHttpClient;
import dev.refrain.servers.HeaderRecordingServer;
import dev.refrain.spring.outgoing.RefrainOutgoingAutoConfiguration;
import dev.refrain.spring.outgoing.RestClientKeyInterceptor;
import dev.refrain.spring.outgoing.WebClientKeyFilter;
import dev.refrain.store.memory.MemoryStore;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/** Calls to other systems through the application's own clients. */
class SpringDownstreamKeysTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    RefrainAutoConfiguration.class,
                    RefrainOutgoingAutoConfiguration.class,
                    BootParts.REST_CLIENT,
                    BootParts.WEB_CLIENT))
            .withBean(MemoryStore.class, MemoryStore::new);
    private HeaderRecordingServer provider;

    @BeforeEach
    void start() throws Exception {
        provider = HeaderRecordingServer.of(DownstreamKeys.HEADER);
    }

    @AfterEach
    void stop() {
        provider.close();
    }

    /** The application's clients, each of which sends the step {@code charge} to a place. */
    static Stream<Function<BeanFactory, Consumer<String>>> clients() {
        return Stream.of(
                beans -> {
                    var client = beans.getBean(RestClient.Builder.class).build();
                    return place -> client.post()
                            .uri(place)
                            .attribute(RestClientKeyInterceptor.STEP, "charge")
                            .retrieve()
                            .toBodilessEntity();
                },
                beans -> {
                    var client = beans.getBean(WebClient.Builder.class).build();
                    return place -> client.post()
                            .uri(place)
                            .attribute(WebClientKeyFilter.STEP, "charge")
                            .retrieve()
                            .toBodilessEntity()
                            .block();
                },
                beans -> {
                    var client = new KeyedHttpClient(HttpClient.newHttpClient(), beans.getBean(DownstreamKeys.class))
                            .step("charge");
                    return place -> {
                        try {
                            client.send(
                                    HttpRequest.newBuilder(URI.create(place))
                                            .POST(HttpRequest.BodyPublishers.noBody())
                                            .build(),
                                    HttpResponse.BodyHandlers.discarding());
                        } catch (IOException | InterruptedException e) {
                            throw new AssertionError(e);
                        }
                    };
                });
    }

    private String place() {
        return provider.at("/charges").toString();
    }

    @ParameterizedTest
    @MethodSource("clients")
    void retryCarriesTheSameKey(Function<BeanFactory, Consumer<String>> clients) {
        runner.run(context -> {
            var client = clients.apply(context);
            var pay = context.getBean(Refrain.class)
                    .operation("pay", String.class)
                    .leased(LeaseExpiryPolicy.RESUME);
            client.accept(place());
            for (int attempt = 0; attempt < 2; attempt++) {
                assertThatThrownBy(
                                () -> pay.run(OperationCall.scope("").key("k").request("r"), claim -> {
                                    client.accept(place());
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

    @ParameterizedTest
    @MethodSource("clients")
    void insideATransactionItIsRefusedAndNothingIsSent(Function<BeanFactory, Consumer<String>> clients) {
        runner.run(context -> {
            var client = clients.apply(context);
            context.getBean(Refrain.class)
                    .operation("pay", String.class)
                    .leased(LeaseExpiryPolicy.RESUME)
                    .run(OperationCall.scope("").key("k").request("r"), claim -> {
                        try (var transaction = CurrentClaim.enterTransactional(claim)) {
                            assertThatThrownBy(() -> client.accept(place()))
                                    .isInstanceOf(CallInTransactionException.class);
                        }
                        return "";
                    });

            assertThat(provider.seen()).isEmpty();
        });
    }
}
