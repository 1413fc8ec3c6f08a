package dev.refrain.examples.servlet;

import static dev.refrain.http.cases.RawHttpRequest.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.http.cases.RawHttpConnection;
import dev.refrain.http.cases.RawHttpRequest;
import dev.refrain.http.cases.RawHttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PaymentsServerTest {

    @TempDir
    private Path folder;

    private static RawHttpResponse send(int port, RawHttpRequest request) throws Exception {
        try (var wire = new RawHttpConnection(port)) {
            wire.send(request);
            return wire.receive();
        }
    }

    @Test
    void threeClicksAreOnePaymentEvenAfterARestart() throws Exception {
        var pay = post("/payments").key("order-1").json("{\"amount\":12,\"currency\":\"EUR\"}");
        var file = folder.resolve("payments.db");
        RawHttpResponse first;
        try (var server = PaymentsServer.start(file, 0)) {
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                var clicks = new ArrayList<Future<RawHttpResponse>>();
                for (int i = 0; i < 3; i++) {
                    clicks.add(threads.submit(() -> send(server.port(), pay)));
                }
                for (var click : clicks) {
                    assertThat(click.get().status()).isIn(201, 409, 503);
                }
            }
            first = send(server.port(), pay);
            assertThat(first.status()).isEqualTo(201);
            assertThat(send(server.port(), pay.json("{\"amount\":13,\"currency\":\"EUR\"}"))
                            .status())
                    .isEqualTo(422);
        }
        try (var server = PaymentsServer.start(file, 0)) {
            var again = send(server.port(), pay);

            assertThat(again.body()).isEqualTo(first.body());
            assertThat(again.header("Location")).isEqualTo(first.header("Location"));
            assertThat(send(server.port(), post("/refrain/contract").by("GET")).body())
                    .contains("POST /payments");
            assertThat(send(server.port(), post("/payments").by("GET")).body())
                    .isEqualTo("{\"payments\":1,\"total\":12}");
        }
    }
}
