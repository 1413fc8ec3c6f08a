package dev.refrain.http.outgoing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.api.CurrentClaim;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.servers.HeaderRecordingServer;
import dev.refrain.store.memory.MemoryStore;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DownstreamKeysTest {

    private static final URI CHARGES = URI.create("https://psp.example/charges");

    private final DownstreamKeys downstream = new DownstreamKeys(CallInTransactionPolicy.REFUSE);
    private final Refrain refrain = Refrain.using(new MemoryStore());
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private HeaderRecordingServer provider;

    @BeforeEach
    void start() throws Exception {
        provider = HeaderRecordingServer.of(DownstreamKeys.HEADER);
    }

    @AfterEach
    void stop() {
        provider.close();
        refrain.close();
    }

    private Optional<String> header(String method) {
        return downstream.keyHeaderFor(method, CHARGES, null);
    }

    @Test
    void outsideOfOperationsAndForReadingThereIsNone() throws Exception {
        assertThat(header("POST")).isEmpty();
        refrain.operation("pay", String.class)
                .leased(LeaseExpiryPolicy.RESUME)
                .run(OperationCall.scope("").key("k").request("r"), claim -> {
                    assertThat(header("GET")).isEmpty();
                    return "";
                });
    }

    @Test
    void sameCallsOfARetryCarryTheSameKeysAndDifferentCallsDifferentOnes() {
        var pay = refrain.operation("pay", String.class).leased(LeaseExpiryPolicy.RESUME);
        for (int attempt = 0; attempt < 2; attempt++) {
            assertThatThrownBy(() -> pay.run(OperationCall.scope("").key("k").request("r"), claim -> {
                        seen.add(header("POST").orElseThrow());
                        seen.add(header("PUT").orElseThrow());
                        seen.add(downstream.keyHeaderFor("POST", CHARGES, "tip").orElseThrow());
                        throw new IllegalStateException("the provider is away");
                    }))
                    .hasMessage("the provider is away");
        }

        assertThat(seen.subList(0, 3)).doesNotHaveDuplicates().isEqualTo(seen.subList(3, 6));
        assertThat(seen)
                .allSatisfy(header -> assertThat(header).startsWith("\"").endsWith("\""));
    }

    /** It may be another attempt, or another call: sent under a new key the first would be done twice. */
    @Test
    void secondCallWithoutANameIsRefused() {
        refrain.operation("pay", String.class)
                .leased(LeaseExpiryPolicy.RESUME)
                .run(OperationCall.scope("").key("k").request("r"), claim -> {
                    header("POST");
                    assertThatThrownBy(() -> header("POST"))
                            .isInstanceOf(UnnamedStepException.class)
                            .hasMessageContaining("POST https://psp.example/charges");
                    var first = downstream.keyHeaderFor("POST", CHARGES, "charge");
                    assertThat(downstream.keyHeaderFor("POST", CHARGES, "charge"))
                            .isEqualTo(first);
                    return "";
                });
    }

    @Test
    void insideATransactionACallIsRefusedUnlessToldToWarn() {
        refrain.operation("pay", String.class)
                .leased(LeaseExpiryPolicy.RESUME)
                .run(OperationCall.scope("").key("k").request("r"), claim -> {
                    try (var transaction = CurrentClaim.enterTransactional(claim)) {
                        assertThatThrownBy(() -> header("POST"))
                                .isInstanceOf(CallInTransactionException.class)
                                .hasMessageContaining("POST psp.example/charges");
                        assertThatThrownBy(() -> header("GET")).isInstanceOf(CallInTransactionException.class);
                        assertThat(new DownstreamKeys(CallInTransactionPolicy.WARN).keyHeaderFor("POST", CHARGES, null))
                                .isPresent();
                    }
                    return "";
                });
    }

    @Test
    void jdksClientCarriesTheKeyAndKeepsTheCallersOwn() throws Exception {
        var address = provider.at("/charges");
        try (var client = new KeyedHttpClient(HttpClient.newHttpClient(), downstream)) {
            var request = HttpRequest.newBuilder(address).POST(HttpRequest.BodyPublishers.ofString("{}"));
            client.send(request.build(), HttpResponse.BodyHandlers.discarding());
            refrain.operation("pay", String.class)
                    .leased(LeaseExpiryPolicy.RESUME)
                    .run(OperationCall.scope("").key("k").request("r"), claim -> {
                        client.send(request.build(), HttpResponse.BodyHandlers.discarding());
                        client.step("async")
                                .sendAsync(request.build(), HttpResponse.BodyHandlers.discarding())
                                .join();
                        client.step("mine")
                                .send(
                                        request.setHeader(DownstreamKeys.HEADER, "\"mine\"")
                                                .build(),
                                        HttpResponse.BodyHandlers.discarding());
                        return "";
                    });
        }

        var seen = provider.seen();
        assertThat(seen).hasSize(4);
        assertThat(seen.get(0)).isEqualTo("none");
        assertThat(seen.get(1)).isNotEqualTo(seen.get(2)).startsWith("\"");
        assertThat(seen.get(3)).isEqualTo("\"mine\"");
    }
}
