package dev.refrain.trials.erasure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.DelegatedCall;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.api.ClientKey;
import dev.refrain.api.Downstream;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.flow.Flow;
import dev.refrain.flow.FlowRequest;
import dev.refrain.flow.FlowRunner;
import dev.refrain.flow.LedgerEntryMapping;
import dev.refrain.flow.PhaseResult;
import dev.refrain.outbox.Outbox;
import dev.refrain.outbox.OutboxMessage;
import dev.refrain.outbox.Relay;
import dev.refrain.outbox.TopicSettings;
import dev.refrain.outbox.jobs.JobResult;
import dev.refrain.outbox.jobs.KeyedJob;
import dev.refrain.outbox.jobs.KeyedJobQueue;
import dev.refrain.saga.Saga;
import dev.refrain.saga.SagaRunner;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.ErasureResult;
import dev.refrain.store.jdbc.JdbcStore;
import dev.refrain.store.ledger.ReconciliationStore;
import dev.refrain.store.ledger.ReportedLedgerEntry;
import dev.refrain.trials.encryption.DumpedColumns;
import dev.refrain.trials.upgrades.EmptyDatabase;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Everything that is stored about a person is found by erasure, and none of its bytes stay in SQLite's files. */
class PersonErasureTest {

    private static final String WORD = "EVES-DATA";

    @TempDir
    Path directory;

    @ParameterizedTest
    @MethodSource("dev.refrain.trials.upgrades.EmptyDatabase#tested")
    void operationsFlowsSagasJobsMessagesAndLedgerEntriesOfAPersonAreErased(String dialect) throws Exception {
        try (var database = EmptyDatabase.of(dialect, directory);
                var store = JdbcStore.on(database.source());
                var refrain = Refrain.using(store)) {
            fill(database.source(), store, refrain);
            try (var connection = database.source().getConnection()) {
                assertThat(DumpedColumns.of(connection).columnsWith(WORD)).isNotEmpty();
            }

            var erased = refrain.admin().erase(new ErasureRequest.OfSubject("shop", WORD), "ann", "asked for it");

            // An operation, a flow, one behind a route, a saga, the saga's job, another job; a message and an entry of
            // a ledger of each flow.
            assertThat(erased.erased()).isEqualTo(6);
            assertThat(erased.allLeftInUse()).isZero();
            assertThat(erased.messages()).isEqualTo(new ErasureResult.RelatedRows(2, 0));
            assertThat(erased.ledgerEntries()).isEqualTo(new ErasureResult.RelatedRows(2, 0));
            try (var connection = database.source().getConnection()) {
                assertThat(DumpedColumns.of(connection).columnsWith(WORD)).isEmpty();
            }
            if (dialect.equals("sqlite")) {
                assertNoBytesLeft();
            }
        }
    }

    private void assertNoBytesLeft() throws Exception {
        try (var files = Files.list(directory)) {
            var all = files.toList();
            assertThat(all).anyMatch(file -> file.toString().endsWith("-wal"));
            for (var file : all) {
                assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                        .as(file.getFileName().toString())
                        .doesNotContain(WORD);
            }
        }
    }

    private static void fill(DataSource source, JdbcStore store, Refrain refrain) throws Exception {
        var outbox = Outbox.on(refrain, store.outbox());
        var flows = FlowRunner.on(refrain, store.transactions()).withLedgers(store.ledger());
        var jobs = KeyedJobQueue.on(refrain, store.transactions(), store.outbox());
        KeyedJob<String, String, Connection> print =
                KeyedJob.transactional("print", String.class, String.class, (tx, paper) -> WORD + " on " + paper);

        refrain.operation("pay", String.class)
                .leased(LeaseExpiryPolicy.RESUME)
                .run(
                        OperationCall.scope("shop")
                                .key(WORD + "-pay")
                                .request(WORD)
                                .withSubject(WORD),
                        claim -> WORD + " paid");

        var order = Flow.of("order", String.class, String.class)
                .foreignCall(
                        "charge",
                        Downstream.honoursKeysForEver(),
                        LedgerEntryMapping.inLedger("bank", at -> 5),
                        Duration.ofSeconds(10),
                        call -> WORD + " charged",
                        (tx, at, answer) -> {
                            outbox.stage(
                                    tx,
                                    OutboxMessage.of("receipts", WORD + " receipt")
                                            .about(at.scope(), at.subject().orElseThrow()));
                            return PhaseResult.goTo("end", WORD + " carried");
                        })
                .phase("end", (tx, at) -> PhaseResult.finish(201, at.carriedValue(String.class)))
                .build();
        flows.run(
                order,
                FlowRequest.of(ClientKey.scope("shop").key(WORD + "-order"), WORD)
                        .withSubject(WORD));
        runBehindARoute(refrain, flows, order);
        report(source, store.ledger());

        try (var tx = source.getConnection()) {
            tx.setAutoCommit(false);
            jobs.about(WORD).enqueue(tx, print, ClientKey.scope("shop").key(WORD + "-job"), WORD);
            tx.commit();
        }
        var trip = Saga.of("trip", String.class)
                .step("seat", (tx, at) -> WORD + " sits", (tx, at) -> {})
                .job("ticket", jobs, print, at -> WORD, (tx, at) -> {})
                .build();
        var sagas = SagaRunner.on(flows);
        var request = FlowRequest.of(ClientKey.scope("shop").key(WORD + "-trip"), WORD)
                .withSubject(WORD);
        sagas.runForResult(trip, request);
        var relay = jobs.registerOn(
                Relay.on(refrain, store.outbox())
                        .pollInterval(Duration.ofMillis(50))
                        .sendTo(
                                TopicSettings.of("receipts").deliveredRetention(Duration.ofHours(1)),
                                Downstream.honoursKeysForEver(),
                                delivery -> {}),
                print);
        try (var started = relay.start()) {
            await().until(() -> outbox.backlog("receipts").waiting() == 0
                    && outbox.backlog(KeyedJobQueue.topic(print)).waiting() == 0
                    && jobs.result(print, ClientKey.scope("shop").key(WORD + "-job")) instanceof JobResult.Done);
        }
        sagas.run(trip, request);
        assertThat(refrain.admin().listAttention(10)).isEmpty();
        assertThat(outbox.deadLetters(null, 10)).isEmpty();
    }

    /** As an HTTP edge runs it that has read the call. */
    private static void runBehindARoute(
            Refrain refrain, FlowRunner<Connection> flows, Flow<String, String, Connection> order) throws Exception {
        var route = refrain.operation("POST /orders").namespace(order.namespace());
        var call = OperationCall.scope("shop").key(WORD + "-route").request(WORD);
        try (var offered = DelegatedCall.delegate(route, call)) {
            flows.runForCurrentCall(order, WORD, Map.of("user", WORD), WORD);
        }
    }

    /** The bank has every charge in its ledger too. */
    private static void report(DataSource source, ReconciliationStore<Connection> ledger) throws Exception {
        var charged = new ArrayList<ReportedLedgerEntry>();
        try (var connection = source.getConnection();
                var statement = connection.createStatement();
                var entries = statement.executeQuery("SELECT * FROM refrain_ledger_entry")) {
            while (entries.next()) {
                charged.add(new ReportedLedgerEntry("entry " + charged.size(), entries.getString("key"), 5));
            }
        }
        ledger.addReported("bank", charged);
    }
}
