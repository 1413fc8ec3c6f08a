package dev.refrain.examples.spring;

import static dev.refrain.examples.spring.Town.as;
import static dev.refrain.examples.spring.Town.capture;
import static dev.refrain.examples.spring.Town.create;
import static dev.refrain.examples.spring.Town.form;
import static dev.refrain.examples.spring.Town.json;
import static dev.refrain.http.cases.RawRequest.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.http.cases.RawAnswer;
import dev.refrain.http.cases.RawRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What holds on every database, over real sockets and between real processes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PaymentsCases {

    private static final int TWINS = 20;

    private Town town;

    abstract String database(Path folder);

    @BeforeAll
    void open(@TempDir Path folder) throws Exception {
        town = Town.on(database(folder), folder);
    }

    @AfterAll
    void close() {
        town.close();
    }

    Town town() {
        return town;
    }

    /** After whatever has happened. */
    @AfterEach
    void theBooksBalance() throws Exception {
        assertThat(
                        town.number(
                                "SELECT count(*) FROM (SELECT booking FROM ledger_entry GROUP BY booking HAVING sum(amount) <> 0) AS b"))
                .isZero();
        assertThat(town.number("SELECT coalesce(sum(amount), 0) FROM ledger_entry WHERE account = 'bank'"))
                .isEqualTo(town.number(
                        "SELECT coalesce(sum(amount - refunded), 0) FROM payment WHERE status = 'succeeded'"));
    }

    private long available() throws Exception {
        return town.get("sk_test_alice", "/v1/balance")
                .at("/available/0/amount")
                .asLong(0);
    }

    @Test
    void aPaymentIsCreatedCapturedAndRefunded() throws Exception {
        long before = available();
        String id = town.newPayment(1299, "pm_card_visa");
        assertThat(town.get("sk_test_alice", "/v1/payment_intents/" + id)
                        .get("status")
                        .asString())
                .isEqualTo("requires_capture");
        assertThat(available()).isEqualTo(before);

        var captured = json(town.send(capture(id)));
        assertThat(captured.get("status").asString()).isEqualTo("succeeded");
        assertThat(captured.get("amount_received").asLong()).isEqualTo(1299);
        assertThat(available()).isEqualTo(before + 1299);

        var part = town.send(form("/v1/refunds", "payment_intent=" + id + "&amount=299"));
        assertThat(part.status()).as(part.body()).isEqualTo(201);
        var rest = json(town.send(form("/v1/refunds", "payment_intent=" + id)));
        assertThat(rest.get("amount").asLong()).isEqualTo(1000);
        assertThat(town.send(form("/v1/refunds", "payment_intent=" + id)).status())
                .isEqualTo(400);
        assertThat(available()).isEqualTo(before);
        assertThat(town.orders(captured.get("latest_charge").asString())).hasSize(2);
    }

    @Test
    void whoeverSendsTwiceIsAnsweredTheSameAndNothingIsDoneTwice() throws Exception {
        var create = create(500, "pm_card_visa");
        String id = json(agreed(create)).get("id").asString();
        agreed(capture(id));
        String refund = json(agreed(form("/v1/refunds", "payment_intent=" + id + "&amount=200")))
                .get("charge")
                .asString();

        assertThat(town.orders(id)).hasSize(1);
        assertThat(town.orders(refund)).hasSize(1);
        assertThat(town.number("SELECT count(*) FROM ledger_entry WHERE booking = 'capture:" + id + "'"))
                .isEqualTo(4);
        assertThat(town.get("sk_test_alice", "/v1/payment_intents/" + id)
                        .get("amount_refunded")
                        .asLong())
                .isEqualTo(200);
    }

    /** What all twins that are sent at once are answered in the end. */
    private RawAnswer agreed(RawRequest request) throws Exception {
        var answers = new ArrayList<Future<RawAnswer>>();
        try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < TWINS; i++) {
                answers.add(clients.submit(() -> town.insist(request)));
            }
        }
        var bodies = new HashSet<String>();
        int first = 0;
        for (var answer : answers) {
            bodies.add(answer.get().body());
            first += answer.get().replayed() ? 0 : 1;
        }
        assertThat(bodies).hasSize(1);
        assertThat(first).as("answers that are not replays").isEqualTo(1);
        return answers.getFirst().get();
    }

    @Test
    void anAnswerThatTheBankLosesIsAskedForAgainUnderTheSameKey() throws Exception {
        String id = town.newPayment(700, "pm_card_visa");
        var capture = capture(id);
        town.trouble("lose=1");

        assertThat(town.send(capture).status()).isEqualTo(502);
        assertThat(town.orders(id)).hasSize(1);
        assertThat(town.get("sk_test_alice", "/v1/payment_intents/" + id)
                        .get("status")
                        .asString())
                .isEqualTo("processing");
        // Another key is another operation: it must not ask the bank for the same money.
        assertThat(town.send(capture(id)).status()).isEqualTo(409);

        var retried = town.send(capture);
        assertThat(retried.status()).isEqualTo(200);
        assertThat(town.orders(id)).hasSize(1);
        assertThat(town.send(capture).body()).isEqualTo(retried.body());

        var refund = form("/v1/refunds", "payment_intent=" + id + "&amount=100");
        town.trouble("lose=1");
        assertThat(town.send(refund).status()).isEqualTo(502);
        assertThat(town.send(refund).status()).isEqualTo(201);
        assertThat(town.orders(json(retried).get("latest_charge").asString())).hasSize(1);
        assertThat(town.get("sk_test_alice", "/v1/payment_intents/" + id)
                        .get("amount_refunded")
                        .asLong())
                .isEqualTo(100);
    }

    @Test
    void killedBetweenTheBanksChargeAndItsOwnBookingItChargesAndBooksOnce() throws Exception {
        String id = town.newPayment(900, "pm_card_visa");
        var capture = capture(id);
        town.trouble("slow=PT30S");
        var waiting = CompletableFuture.runAsync(() -> {
            try {
                town.send(capture);
            } catch (Exception gone) {
                // It is killed under us.
            }
        });
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .until(() -> town.orders(id).size() == 1);
        town.killApi();
        waiting.join();
        assertThat(town.number("SELECT count(*) FROM ledger_entry WHERE booking = 'capture:" + id + "'"))
                .isZero();
        town.trouble("");
        town.openApi();

        var answer = town.insist(capture);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(town.insist(capture).body()).isEqualTo(answer.body());
        assertThat(town.orders(id)).hasSize(1);
        assertThat(town.number("SELECT count(*) FROM ledger_entry WHERE booking = 'capture:" + id + "'"))
                .isEqualTo(4);
    }

    @Test
    void aDeclinedCardIsAnOutcomeThatIsKept() throws Exception {
        String id = town.newPayment(800, "pm_card_chargeDeclined");
        var capture = capture(id);

        var declined = town.send(capture);
        assertThat(declined.status()).isEqualTo(402);
        assertThat(json(declined).at("/error/decline_code").asString()).isEqualTo("insufficient_funds");
        var again = town.send(capture);
        assertThat(again.replayed()).isTrue();
        assertThat(again.body()).isEqualTo(declined.body());
        assertThat(town.send(capture(id)).status()).isEqualTo(400);
        assertThat(town.orders(id)).hasSize(1);
        assertThat(town.number("SELECT sum(amount) FROM ledger_entry WHERE account = 'pending' AND booking LIKE '%" + id
                        + "'"))
                .isZero();
    }

    @Test
    void twoKeysDoNotCaptureOnePaymentTwiceNorRefundMoreThanItIs() throws Exception {
        String id = town.newPayment(600, "pm_card_visa");
        try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            var captures = new ArrayList<Future<RawAnswer>>();
            for (int i = 0; i < 5; i++) {
                captures.add(clients.submit(() -> town.insist(capture(id))));
            }
            int done = 0;
            for (var one : captures) {
                assertThat(one.get().status()).isIn(200, 400);
                done += one.get().status() == 200 ? 1 : 0;
            }
            assertThat(done).isEqualTo(1);
            assertThat(town.orders(id)).hasSize(1);

            var refunds = new ArrayList<Future<RawAnswer>>();
            for (int i = 0; i < 5; i++) {
                refunds.add(
                        clients.submit(() -> town.insist(form("/v1/refunds", "payment_intent=" + id + "&amount=400"))));
            }
            int refunded = 0;
            for (var one : refunds) {
                assertThat(one.get().status()).isIn(201, 400);
                refunded += one.get().status() == 201 ? 1 : 0;
            }
            assertThat(refunded).isEqualTo(1);
        }
    }

    @Test
    void whatIsNotValidIsToldAndConsumesNoKey() throws Exception {
        var wrong = form("/v1/payment_intents", "amount=-1&currency=eur&payment_method=pm_card_visa");
        var refused = town.send(wrong);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(json(refused).at("/error/param").asString()).isEqualTo("amount");
        assertThat(json(refused).at("/error/message").asString()).isEqualTo("amount must be greater than 0");
        assertThat(town.send(withBody(wrong, "amount=x&currency=eur&payment_method=pm_card_visa"))
                        .body())
                .contains("amount is not a number: x");
        assertThat(town.send(withBody(wrong, "amount=1&currency=eur")).body())
                .contains("payment_method must not be blank");

        assertThat(town.send(withBody(wrong, "amount=1&currency=eur&payment_method=pm_card_visa"))
                        .status())
                .isEqualTo(201);
        assertThat(town.send(form("/v1/payment_intents/pi_none/capture", "amount_to_capture=5"))
                        .body())
                .contains("captured as a whole");
        assertThat(town.send(capture("pi_none")).status()).isEqualTo(404);
    }

    private static RawRequest withBody(RawRequest request, String form) {
        return request.without("Content-Type").body("application/x-www-form-urlencoded", form);
    }

    @Test
    void paymentsAreListedAPageAtATime() throws Exception {
        var ids = new ArrayList<String>();
        for (int i = 0; i < 3; i++) {
            var created =
                    town.send(as("sk_test_bob", create(100 + i, "pm_card_visa").without("Authorization")));
            ids.addFirst(json(created).get("id").asString());
        }
        var first = town.get("sk_test_bob", "/v1/payment_intents?limit=2");
        assertThat(first.get("has_more").asBoolean()).isTrue();
        assertThat(first.at("/data/0/id").asString()).isIn(ids);
        var next = town.get(
                "sk_test_bob",
                "/v1/payment_intents?limit=2&starting_after="
                        + first.at("/data/1/id").asString());
        assertThat(next.get("has_more").asBoolean()).isFalse();
        var seen = new HashSet<String>();
        for (var page : List.of(first, next)) {
            page.get("data").forEach(payment -> seen.add(payment.get("id").asString()));
        }
        assertThat(seen).containsAll(ids);
        assertThat(town.send(as(
                                "sk_test_alice",
                                post("/v1/payment_intents?starting_after=" + ids.getFirst())
                                        .by("GET")))
                        .status())
                .as("another merchant's cursor")
                .isEqualTo(404);
    }

    @Test
    void twoMerchantsWithTheSameKeyNeverSeeEachOthersAnswers() throws Exception {
        var request = create(4200, "pm_card_visa").without("Authorization");
        var alice = town.send(as("sk_test_alice", request));
        var bob = town.send(as("sk_test_bob", withBody(request, "amount=77&currency=usd&payment_method=pm_card_visa")));

        assertThat(bob.status()).isEqualTo(201);
        assertThat(bob.replayed()).isFalse();
        assertThat(json(bob).get("amount").asLong()).isEqualTo(77);
        assertThat(town.send(as("sk_test_alice", request)).body()).isEqualTo(alice.body());
        String id = json(alice).get("id").asString();
        assertThat(town.send(as("sk_test_bob", capture(id).without("Authorization")))
                        .status())
                .isEqualTo(404);
        assertThat(town.orders(id)).isEmpty();
    }

    @Test
    void whoIsNotKnownIsRefusedBeforeAnythingIsClaimed() throws Exception {
        var request = create(100, "pm_card_visa");
        String records = "SELECT count(*) FROM refrain_record";
        long before = town.number(records);

        for (var unknown :
                List.of(request.without("Authorization"), as("sk_test_mallory", request.without("Authorization")))) {
            var refused = town.send(unknown);
            assertThat(refused.status()).isEqualTo(401);
            assertThat(refused.body()).contains("Send your API key");
            assertThat(refused.header("Idempotent-Replayed")).isEmpty();
        }

        assertThat(town.number(records)).isEqualTo(before);
        var known = town.send(request.without("Authorization").line("Authorization: Basic c2tfdGVzdF9hbGljZTo="));
        assertThat(known.status()).isEqualTo(201);
        assertThat(known.replayed()).isFalse();
    }
}
