package dev.refrain.http.servlet;

import static dev.refrain.http.cases.RawHttpRequest.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.refrain.Refrain;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.http.OperationMode;
import dev.refrain.http.OutcomeProfile;
import dev.refrain.http.RoutePolicy;
import dev.refrain.http.cases.EdgeUnderTest;
import dev.refrain.http.cases.RawHttpConnection;
import dev.refrain.http.cases.RawHttpRequest;
import dev.refrain.http.cases.RawHttpResponse;
import dev.refrain.http.edge.BufferBudget;
import dev.refrain.servers.PostgresServer;
import dev.refrain.store.StoreException;
import dev.refrain.store.jdbc.JdbcStore;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The handler's writes, the key and the answer in one commit, through the filter, on a real PostgreSQL. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RefrainFilterTransactionTest {

    /** What a handler does inside its transaction. */
    @FunctionalInterface
    interface Work {
        void run(HttpServletRequest request, HttpServletResponse response) throws Exception;
    }

    private HikariDataSource pool;
    private DataSource inside;
    private JdbcStore store;
    private Refrain refrain;
    private EdgeUnderTest edge;
    private final BufferBudget budget = BufferBudget.ofHeap();
    private volatile Work work = (request, response) -> {};

    @AfterEach
    void nothingStaysBuffered() {
        await().untilAsserted(() -> assertThat(budget.heldBytes()).isZero());
    }

    @BeforeAll
    void open() throws Exception {
        var config = new HikariConfig();
        config.setJdbcUrl(PostgresServer.shared().freshDatabase());
        config.setMaximumPoolSize(12);
        pool = new HikariDataSource(config);
        inside = TransactionalDataSource.over(pool);
        run("CREATE TABLE payment (id uuid PRIMARY KEY, amount int)");
        run("CREATE TABLE account (id int PRIMARY KEY)");
        run("ALTER TABLE payment ADD account int REFERENCES account DEFERRABLE INITIALLY DEFERRED");
        run("CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
                + " $$ BEGIN RAISE EXCEPTION 'contested' USING ERRCODE = '40001'; END $$");
        run("INSERT INTO account VALUES (-40001)");
        run("CREATE CONSTRAINT TRIGGER contested AFTER INSERT ON payment DEFERRABLE INITIALLY DEFERRED"
                + " FOR EACH ROW WHEN (NEW.account = -40001) EXECUTE FUNCTION refuse()");
        store = JdbcStore.on(pool);
        refrain = Refrain.using(store);
        var transactional = RoutePolicy.of(OperationMode.transactional());
        var filter = RefrainFilter.builder(refrain)
                .bufferBudget(budget)
                .scope(ScopeResolver.shared())
                .transactions(store.transactions())
                .route(
                        "POST /payments",
                        transactional
                                // A hundred callers at once are not refused on a machine that is slow at that moment.
                                .run(run -> run.withStoreTimeout(Duration.ofMinutes(1)))
                                .replay(keep -> keep.withMaxOutcomeBytes(1000)))
                .route(
                        "POST /short",
                        transactional.run(
                                run -> run.withLease(Duration.ofMillis(500)).withMaxRunTime(Duration.ofMillis(500))))
                .route("POST /stripe", transactional.replay(keep -> keep.with(OutcomeProfile.STRIPE)))
                .build();
        edge = TomcatEdge.start(filter, new HttpServlet() {
            private static final long serialVersionUID = 1L;

            @Override
            protected void doPost(HttpServletRequest request, HttpServletResponse response)
                    throws IOException, ServletException {
                try {
                    work.run(request, response);
                } catch (IOException | ServletException | RuntimeException e) {
                    throw e;
                } catch (Exception e) {
                    throw new ServletException(e);
                }
            }
        });
    }

    @BeforeEach
    void empty() {
        run("TRUNCATE payment");
    }

    @AfterAll
    void close() throws Exception {
        edge.close();
        refrain.close();
        store.close();
        pool.close();
    }

    private void run(String sql) {
        try (var connection = pool.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    private void pay(String account) throws SQLException {
        try (var connection = inside.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("INSERT INTO payment VALUES (gen_random_uuid(), 12, " + account + ")");
        }
    }

    private int payments() {
        try (var connection = pool.getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT count(*) FROM payment")) {
            rows.next();
            return rows.getInt(1);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private RawHttpResponse send(RawHttpRequest request) throws IOException {
        try (var wire = new RawHttpConnection(edge.port())) {
            wire.send(request);
            return wire.receive();
        }
    }

    private static RawHttpRequest payment(String route) {
        return post(route).key(UUID.randomUUID().toString()).json("{\"amount\":12}");
    }

    @Test
    void workKeyAndAnswerCommitTogether() throws Exception {
        work = (request, response) -> {
            pay("NULL");
            response.setStatus(201);
            response.getOutputStream().print("paid");
        };
        var request = payment("/payments");

        assertThat(send(request).body()).isEqualTo("paid");
        var again = send(request);

        assertThat(again.status()).isEqualTo(201);
        assertThat(again.body()).isEqualTo("paid");
        assertThat(again.replayed()).isTrue();
        assertThat(payments()).isEqualTo(1);
    }

    @Test
    void exceptionRollsBackTheWorkAndTheRetryRuns() throws Exception {
        work = (request, response) -> {
            pay("NULL");
            throw new IllegalStateException("after the payment");
        };
        var request = payment("/payments");
        assertThat(send(request).status()).isEqualTo(500);
        assertThat(payments()).isZero();

        work = (again, response) -> pay("NULL");

        assertThat(send(request).status()).isEqualTo(200);
        assertThat(payments()).isEqualTo(1);
    }

    @Test
    void handlerPastItsMaximumRunTimeIsRolledBackAndItsClientLearnsThatARetryIsSafe() throws Exception {
        work = (request, response) -> {
            pay("NULL");
            new CountDownLatch(1).await();
        };
        var request = payment("/short");

        var ended = send(request);

        assertThat(ended.status()).isEqualTo(500);
        assertThat(ended.header("Content-Type")).contains("application/problem+json");
        assertThat(ended.body())
                .contains(
                        "handler-failed",
                        "ran for too long and was rolled back",
                        "same key is safe, but may take as long again",
                        "\"retryable\":false");
        assertThat(payments()).isZero();
        work = (again, response) -> pay("NULL");
        // 409 until the server has seen that the client of the aborted transaction is gone, which takes a busy one a
        // while.
        await().atMost(1, TimeUnit.MINUTES).until(() -> send(request).status(), status -> status == 200);
        assertThat(payments()).isEqualTo(1);
    }

    @Test
    void serverErrorRollsBackTheWork() throws Exception {
        work = (request, response) -> {
            pay("NULL");
            response.sendError(503, "later");
        };

        assertThat(send(payment("/payments")).status()).isEqualTo(503);
        assertThat(payments()).isZero();
    }

    @Test
    void keptFailureIsReplayedWithoutItsWork() throws Exception {
        work = (request, response) -> {
            pay("NULL");
            throw new IllegalStateException("after the payment");
        };
        var request = payment("/stripe");

        var first = send(request);
        var again = send(request);

        assertThat(first.status()).isEqualTo(500);
        assertThat(again.replayed()).isTrue();
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(payments()).isZero();
    }

    /** The answer says 201, and then the commit fails: the client must not see it. */
    @Test
    void failedCommitNeverShowsASuccess() throws Exception {
        work = (request, response) -> {
            pay("4711");
            response.setStatus(201);
            response.setHeader("X-Paid", "yes");
            response.getOutputStream().print("paid");
            response.flushBuffer();
        };
        var request = payment("/payments");

        var first = send(request);

        assertThat(first.status()).isGreaterThanOrEqualTo(500);
        assertThat(first.body())
                .doesNotContain("paid\"")
                .contains(
                        "urn:refrain:problem:handler-failed",
                        "everything was rolled back",
                        "same key is safe, but fails again",
                        "\"retryable\":false");
        assertThat(first.header("X-Paid")).isEmpty();
        assertThat(payments()).isZero();
        run("INSERT INTO account VALUES (4711)");
        assertThat(send(request).status()).isEqualTo(201);
        assertThat(payments()).isEqualTo(1);
    }

    private String isReportedAsRolledBack(RawHttpRequest request) throws IOException {
        var answer = send(request);

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body())
                .contains("urn:refrain:problem:rolled-back", "\"retryable\":true")
                .doesNotContain("not run");
        assertThat(payments()).isZero();
        work = (again, response) -> pay("NULL");
        assertThat(send(request).status()).isEqualTo(200);
        assertThat(payments()).isEqualTo(1);
        return answer.body();
    }

    @Test
    void serializationFailureAtCommitIsReportedAsRolledBack() throws Exception {
        work = (request, response) -> pay("-40001");

        assertThat(isReportedAsRolledBack(payment("/payments"))).contains("40001");
    }

    @Test
    void connectionThatIsLostAfterTheWorkIsReportedAsRolledBackByThat() throws Exception {
        work = (request, response) -> {
            pay("NULL");
            terminateOwnSession();
        };

        assertThat(isReportedAsRolledBack(payment("/payments")))
                .contains("The connection to the database was lost", "under the same key again; this is safe")
                .doesNotContain("conflict", "40001");
    }

    /** Ends the session of this transaction as an administrator, or the death of the server, would. */
    private void terminateOwnSession() throws SQLException {
        long session;
        try (var connection = inside.getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT pg_backend_pid()")) {
            rows.next();
            session = rows.getLong(1);
        }
        run("SELECT pg_terminate_backend(" + session + ", 60000)");
    }

    /** A leased run of the same request, as of another version during a rollout, does not wait for the transaction. */
    @Test
    void requestWhoseKeyWasChangedMeanwhileIsReportedAsRolledBack() throws Exception {
        var leased = RefrainFilter.builder(refrain)
                .scope(ScopeResolver.shared())
                .route("POST /payments", RoutePolicy.of(OperationMode.leased(LeaseExpiryPolicy.RESUME)))
                .build();
        try (var other = TomcatEdge.start(leased, new HttpServlet() {
            private static final long serialVersionUID = 1L;

            @Override
            protected void doPost(HttpServletRequest request, HttpServletResponse response) {
                response.setStatus(503);
            }
        })) {
            var same = payment("/payments");
            work = (request, response) -> {
                pay("NULL");
                try (var wire = new RawHttpConnection(other.port())) {
                    wire.send(same);
                    assertThat(wire.receive().status()).isEqualTo(503);
                }
            };

            isReportedAsRolledBack(same);
        }
    }

    @Test
    void failureOfAnotherStoreInsideOfTheHandlerIsTheHandlersOwn() throws Exception {
        work = (request, response) -> {
            throw StoreException.unavailable("another store is away", StoreException.Effect.NONE, null);
        };
        var answer = send(payment("/payments"));

        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.body()).doesNotContain("not run");
    }

    @Test
    void oneOfAHundredTwinsPays() throws Exception {
        work = (request, response) -> {
            pay("NULL");
            response.getOutputStream().print("paid");
        };
        var request = payment("/payments");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = new ArrayList<Future<RawHttpResponse>>();
            for (int i = 0; i < 100; i++) {
                answers.add(threads.submit(() -> send(request)));
            }
            for (var answer : answers) {
                assertThat(answer.get().status()).isIn(200, 409);
            }
        }
        assertThat(send(request).body()).isEqualTo("paid");
        assertThat(payments()).isEqualTo(1);
    }

    @Test
    void answerTooLargeToKeepIsSentWholeAfterTheCommit() throws Exception {
        String large = "0123456789".repeat(500);
        work = (request, response) -> {
            pay("NULL");
            response.getWriter().print(large);
            response.flushBuffer();
        };
        var request = payment("/payments");

        assertThat(send(request).body()).isEqualTo(large);
        assertThat(send(request).body()).contains("answer-not-kept");
        assertThat(payments()).isEqualTo(1);
    }

    @Test
    void handlerMustAnswerOnItsThread() throws Exception {
        work = (request, response) -> request.startAsync();

        assertThat(send(payment("/payments")).status()).isEqualTo(500);
    }

    @Test
    void handlerCannotCommitByItself() throws Exception {
        var refused = new ArrayList<Optional<String>>();
        work = (request, response) -> {
            try (var connection = inside.getConnection()) {
                connection.commit();
            } catch (SQLException e) {
                refused.add(Optional.ofNullable(e.getMessage()));
            }
        };

        assertThat(send(payment("/payments")).status()).isEqualTo(200);
        assertThat(refused).hasSize(1);
    }

    @Test
    void answerTooLargeToKeepLeavesNoFileBehind() throws Exception {
        var before = spooled();
        work = (request, response) -> {
            response.getOutputStream().write(new byte[16 << 20]);
            pay("NULL");
        };
        try (var wire = new RawHttpConnection(edge.port())) {
            wire.send(payment("/payments"));
            await().until(() -> payments() == 1);
            wire.hangUp();
        }
        work = (request, response) -> {
            response.getOutputStream().write(new byte[2000]);
            throw new AssertionError("an error");
        };
        send(payment("/payments"));

        await().untilAsserted(() -> assertThat(before).containsAll(spooled()));
    }

    private static List<String> spooled() throws IOException {
        try (var files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("refrain-answer-"))
                    .toList();
        }
    }
}
