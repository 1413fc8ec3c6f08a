package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.stripe.StripeClient;
import com.stripe.exception.StripeException;
import com.stripe.net.RequestOptions;
import com.stripe.param.ChargeCreateParams;
import dev.refrain.servers.PostgresServer;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;

/** Stripe's own client, with its own keys and its own retries, over a line that loses answers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StripeClientTest {

    private static final ChargeCreateParams CHARGE =
            ChargeCreateParams.builder().setAmount(1299L).setCurrency("eur").build();

    private ServletWebServerApplicationContext context;
    private PaymentsApplication.Ledger ledger;

    @BeforeAll
    void start() {
        context = PaymentsApplication.start(PostgresServer.shared().freshDatabase());
        ledger = context.getBean(PaymentsApplication.Ledger.class);
    }

    @BeforeEach
    void clear() {
        ledger.clear();
    }

    @AfterAll
    void stop() {
        context.close();
    }

    private static StripeClient client(int port) {
        return StripeClient.builder()
                .setApiKey("sk_test_refrain")
                .setApiBase("http://127.0.0.1:" + port)
                .setMaxNetworkRetries(3)
                .setReadTimeout(700)
                .build();
    }

    @Test
    void itsRetriesAfterLostAnswersAreOneCharge() throws Exception {
        try (var line = new BadLine(context.getWebServer().getPort(), 2)) {
            var charge = client(line.port()).v1().charges().create(CHARGE);

            assertThat(charge.getId()).startsWith("ch_");
            assertThat(charge.getAmount()).isEqualTo(1299);
            assertThat(charge.getPaid()).isTrue();
            assertThat(charge.getLastResponse().headers().firstValue("Idempotent-Replayed"))
                    .hasValue("true");
        }
        assertThat(ledger.payments()).isEqualTo(1);
        assertThat(PaymentsApplication.RUNS).hasValue(1);
    }

    @Test
    void aKeyThatIsUsedForAnotherRequestIsItsErrorToo() throws Exception {
        var client = client(context.getWebServer().getPort());
        var options = RequestOptions.builder()
                .setIdempotencyKey(UUID.randomUUID().toString())
                .build();
        var first = client.v1().charges().create(CHARGE, options);

        assertThat(client.v1().charges().create(CHARGE, options).getId()).isEqualTo(first.getId());
        assertThatThrownBy(() -> client.v1()
                        .charges()
                        .create(
                                ChargeCreateParams.builder()
                                        .setAmount(1L)
                                        .setCurrency("eur")
                                        .build(),
                                options))
                .isInstanceOf(StripeException.class)
                .satisfies(
                        e -> assertThat(((StripeException) e).getStatusCode()).isEqualTo(400));
        assertThat(ledger.payments()).isEqualTo(1);
    }
}
