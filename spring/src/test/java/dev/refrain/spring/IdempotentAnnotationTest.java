package dev.refrain.spring;

import static dev.refrain.http.cases.RawHttpRequest.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.http.cases.RawHttpConnection;
import dev.refrain.http.cases.RawHttpRequest;
import dev.refrain.http.cases.RawHttpResponse;
import dev.refrain.servers.PostgresServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.ConfigurableApplicationContext;

/** One annotation in an application with a real PostgreSQL, on virtual threads. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IdempotentAnnotationTest {

    private ConfigurableApplicationContext context;
    private PaymentsTestApplication.Ledger ledger;

    @BeforeAll
    void start() {
        context = PaymentsTestApplication.start(
                PostgresServer.shared().freshDatabase(),
                "--spring.threads.virtual.enabled=true",
                // A hundred callers at once are not refused on a machine that is slow at that moment.
                "--refrain.http.store-timeout=60s");
        ledger = context.getBean(PaymentsTestApplication.Ledger.class);
    }

    @BeforeEach
    void clear() {
        ledger.clear();
    }

    @AfterAll
    void stop() {
        context.close();
    }

    private RawHttpResponse send(RawHttpRequest request) throws IOException {
        try (var wire = new RawHttpConnection(ServerPort.of(context))) {
            wire.send(request);
            return wire.receive();
        }
    }

    private static RawHttpRequest to(String path) {
        return post(path).key(UUID.randomUUID().toString()).json("{\"amount\":12}");
    }

    @Test
    void handlersWorkAndItsKeyAreOneCommit() throws Exception {
        var request = to("/payments");

        var first = send(request);
        var again = send(request);

        assertThat(first.status()).isEqualTo(201);
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.replayed()).isTrue();
        assertThat(again.body()).isEqualTo(first.body()).contains("\"amount\":12");
        assertThat(ledger.payments()).isEqualTo(1);
    }

    @Test
    void oneOfAHundredTwinsPays() throws Exception {
        var request = to("/payments");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = new ArrayList<Future<RawHttpResponse>>();
            for (int i = 0; i < 100; i++) {
                answers.add(threads.submit(() -> send(request)));
            }
            for (var answer : answers) {
                assertThat(answer.get().status()).isIn(201, 409);
            }
        }
        assertThat(ledger.payments()).isEqualTo(1);
    }

    @Test
    void keptFailureIsReplayedAndItsWorkRolledBack() throws Exception {
        var request = to("/failing");

        var first = send(request);
        var again = send(request);

        assertThat(first.status()).isEqualTo(500);
        assertThat(again.replayed()).isTrue();
        assertThat(again.body()).isEqualTo(first.body()).doesNotContain("after the payment");
        assertThat(PaymentsTestApplication.RUNS).hasValue(1);
        assertThat(ledger.payments()).isZero();
    }

    /** Spring rolls back on the exception; the answer is an outcome all the same. */
    @Test
    void declinedPaymentIsAnOutcomeWithoutItsWork() throws Exception {
        var request = to("/declined/402");

        var first = send(request);
        var again = send(request);

        assertThat(first.status()).isEqualTo(402);
        assertThat(again.status()).isEqualTo(402);
        assertThat(again.replayed()).isTrue();
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(ledger.payments()).isZero();
        assertThat(PaymentsTestApplication.RUNS).hasValue(1);
    }

    @Test
    void transientErrorIsNotKept() throws Exception {
        var request = to("/declined/503");

        var first = send(request);
        assertThat(first.status()).as(first.body()).isEqualTo(503);
        assertThat(send(request).replayed()).isFalse();
        assertThat(PaymentsTestApplication.RUNS).hasValue(2);
        assertThat(ledger.payments()).isZero();
    }

    @Test
    void failedCommitNeverShowsASuccess() throws Exception {
        var request = to("/no-such-account");

        var first = send(request);

        assertThat(first.status()).isGreaterThanOrEqualTo(500);
        assertThat(first.body()).doesNotContain("\"amount\":12");
        assertThat(ledger.payments()).isZero();
    }

    /** What is written while the transaction commits is part of it too. */
    @Test
    void beforeCommitWriteIsInTheSameTransaction() throws Exception {
        var request = to("/with-synchronization");

        assertThat(send(request).status()).isEqualTo(200);
        assertThat(send(request).replayed()).isTrue();
        assertThat(ledger.payments()).isEqualTo(2);

        var unlucky = to("/with-synchronization").json("{\"amount\":13}");
        assertThat(send(unlucky).status()).isGreaterThanOrEqualTo(500);
        assertThat(ledger.payments()).as("all or nothing").isEqualTo(2);
        assertThat(send(unlucky).replayed()).isFalse();
    }

    @Test
    void refusalBySpringBeforeTheWorkConsumesNoKey() throws Exception {
        var request = to("/payments");

        assertThat(send(request.json("{\"amount\":-1}")).status())
                .as("not valid")
                .isEqualTo(400);
        assertThat(send(request.json("{\"amount\":")).status())
                .as("not readable")
                .isEqualTo(400);
        assertThat(send(request.without("Content-Type").body("text/plain", "12"))
                        .status())
                .as("media type")
                .isEqualTo(415);
        assertThat(send(request.to("/nowhere")).status()).as("route").isEqualTo(404);
        assertThat(send(request.by("DELETE")).status()).as("method").isEqualTo(405);

        assertThat(send(request).status()).isEqualTo(201);
        assertThat(PaymentsTestApplication.RUNS).hasValue(1);
    }

    @Test
    void openApiDocumentShowsTheKeyAndTheRefusals() throws Exception {
        var document = send(post("/v3/api-docs").by("GET")).body();

        assertThat(document)
                .contains("\"name\":\"Idempotency-Key\",\"in\":\"header\"", "\"422\"", "application/problem+json");
    }

    @Test
    void leasedHandlerHasItsOwnSettings() throws Exception {
        var request = to("/elsewhere");

        send(request);
        assertThat(send(request).replayed()).isTrue();
        assertThat(PaymentsTestApplication.RUNS).hasValue(1);
        assertThat(send(post("/refrain/contract.json").by("GET")).body())
                .contains("POST /elsewhere", "PT168H", "wait up to 5.0 s", "POST /payments", "transactional");
    }

    /** Elsewhere Spring would refuse to commit; to tell a success whose work was taken back would be worse. */
    @Test
    void successWhoseWorkIsToBeRolledBackIsNeverSent() throws Exception {
        var request = to("/swallowed");

        var first = send(request);
        var again = send(request);

        assertThat(ledger.payments()).isZero();
        assertThat(first.status()).as(first.body()).isGreaterThanOrEqualTo(500);
        assertThat(again.status()).isGreaterThanOrEqualTo(500);
        assertThat(again.replayed()).isFalse();
    }

    @Test
    void listenerThatFailsAfterTheCommitDoesNotChangeTheAnswer() throws Exception {
        var request = to("/fails-after-commit");

        var first = send(request);
        var again = send(request);

        assertThat(ledger.payments()).isEqualTo(1);
        assertThat(again.replayed()).isTrue();
        assertThat(first.status()).as(first.body()).isEqualTo(again.status());
        assertThat(first.body()).isEqualTo(again.body());
    }

    /** Spring Boot has a filter that reads such a form before any other can. */
    @Test
    void anotherFormUnderTheKeyIsRefused() throws Exception {
        var request = post("/forms").by("PATCH").key(UUID.randomUUID().toString());
        String form = "application/x-www-form-urlencoded";

        assertThat(send(request.body(form, "amount=1")).status()).isEqualTo(200);
        assertThat(send(request.body(form, "amount=2")).status()).isEqualTo(422);
        assertThat(send(request.body(form, "amount=1")).replayed()).isTrue();
        assertThat(ledger.payments()).isEqualTo(1);
    }

    @Test
    void handlerThatIsReachedOnAnotherWayDoesNotRunUnprotected() throws Exception {
        var request = to("/old/payments");

        assertThat(send(request).status()).isGreaterThanOrEqualTo(500);
        assertThat(ledger.payments()).isZero();
    }

    @Test
    void commitIsItsOwnWhateverIsOpenAroundIt() throws Exception {
        var request = to("/payments");

        assertThat(send(request.line("X-Around: yes")).status()).isEqualTo(201);

        assertThat(ledger.payments()).isEqualTo(1);
        assertThat(send(request).replayed()).isTrue();
    }
}
