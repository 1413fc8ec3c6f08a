package dev.refrain.examples.spring;

import static dev.refrain.examples.spring.PaymentsAndBankProcesses.as;
import static dev.refrain.examples.spring.PaymentsAndBankProcesses.capture;
import static dev.refrain.examples.spring.PaymentsAndBankProcesses.create;
import static dev.refrain.examples.spring.PaymentsAndBankProcesses.json;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Cases about authentication and the scope of keys. */
interface CallerCases {

    PaymentsAndBankProcesses processes();

    @Test
    default void merchantsWithTheSameKeyNeverSeeEachOthersResponses() throws Exception {
        var request = create(4200, "pm_card_visa").without("Authorization");
        var alice = processes().send(as("sk_test_alice", request));
        var bob = processes()
                .send(as(
                        "sk_test_bob",
                        PaymentsAndBankProcesses.withBody(
                                request, "amount=77&currency=usd&payment_method=pm_card_visa")));

        assertThat(bob.status()).isEqualTo(201);
        assertThat(bob.replayed()).isFalse();
        assertThat(json(bob).get("amount").asLong()).isEqualTo(77);
        assertThat(processes().send(as("sk_test_alice", request)).body()).isEqualTo(alice.body());
        String id = json(alice).get("id").asString();
        assertThat(processes()
                        .send(as("sk_test_bob", capture(id).without("Authorization")))
                        .status())
                .isEqualTo(404);
        assertThat(processes().orders(id)).isEmpty();
    }

    @Test
    default void unauthenticatedRequestIsRejectedBeforeTheClaim() throws Exception {
        var request = create(100, "pm_card_visa");
        String records = "SELECT count(*) FROM refrain_record";
        long before = processes().number(records);

        for (var unknown :
                List.of(request.without("Authorization"), as("sk_test_mallory", request.without("Authorization")))) {
            var refused = processes().send(unknown);
            assertThat(refused.status()).isEqualTo(401);
            assertThat(refused.body()).contains("Authenticate with your API key");
            assertThat(refused.header("Idempotent-Replayed")).isEmpty();
        }

        assertThat(processes().number(records)).isEqualTo(before);
        var known =
                processes().send(request.without("Authorization").line("Authorization: Basic c2tfdGVzdF9hbGljZTo="));
        assertThat(known.status()).isEqualTo(201);
        assertThat(known.replayed()).isFalse();
    }
}
