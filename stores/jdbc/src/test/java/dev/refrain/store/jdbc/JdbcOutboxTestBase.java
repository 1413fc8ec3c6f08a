package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.acquired;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.complete;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.payload;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.Payload;
import dev.refrain.store.jdbc.spi.TransactionSource;
import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageLeaseRequest;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.OutboxStore;
import dev.refrain.store.outbox.StagedMessage;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An outbox on JDBC, on each database; what every store promises of one is in its contract. */
abstract class JdbcOutboxTestBase {

    private DataSource source;
    private JdbcStore store;
    private OutboxStore<Connection> outbox;

    abstract DataSource database();

    @BeforeEach
    void open() {
        source = database();
        store = JdbcStore.on(source);
        outbox = store.outbox();
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static StagedMessage message(String topic, String text) {
        return new StagedMessage(
                ExecutionEnvironment.system().newNonce(),
                topic,
                null,
                Payload.of(text.getBytes(StandardCharsets.UTF_8)));
    }

    private void stage(StagedMessage message) throws SQLException {
        try (var connection = source.getConnection()) {
            connection.setAutoCommit(false);
            outbox.stage(connection, message);
            connection.commit();
        }
    }

    private List<LeasedMessage> take() {
        return outbox.leaseMessages(new MessageLeaseRequest("t", Duration.ofSeconds(30), 10, 10, Long.MAX_VALUE));
    }

    @Test
    void withoutATransactionNothingIsStaged() throws SQLException {
        try (var connection = source.getConnection()) {
            assertThatThrownBy(() -> outbox.stage(connection, message("t", "x")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("auto-commit");
        }
        assertThat(take()).isEmpty();
    }

    @Test
    void commitWakesThoseWhoListen() throws Exception {
        var heard = new LinkedBlockingQueue<String>();
        try (var listening = outbox.subscribeToCommits(heard::add)) {
            assertThat(heard.poll(1, TimeUnit.MINUTES)).isEmpty();
            stage(message("t", "a"));
            assertThat(heard.poll(1, TimeUnit.MINUTES)).isIn("t", "");
            take();
        }
    }

    @Test
    void deliveredMessageIsDeletedUnlessItIsKept() throws SQLException {
        stage(message("t", "kept"));
        stage(message("t", "not kept"));
        var taken = take();
        outbox.settle(List.of(
                new MessageSettlement.Delivered(taken.get(0).row(), Duration.ofHours(1)),
                new MessageSettlement.Delivered(taken.get(1).row(), Duration.ZERO)));

        var sql = new RawSql(source);
        assertThat(sql.number("SELECT count(*) FROM refrain_outbox")).isZero();
        assertThat(sql.number("SELECT count(*) FROM refrain_outbox_past")).isEqualTo(1);
    }

    /** Who looks often is not notified: what is reported comes from this process. */
    private StagingReports awakeListener() throws SQLException {
        stage(message("t", "makes it look"));
        assertThat(take()).hasSize(1);
        return new StagingReports(outbox);
    }

    @Test
    void commitOfTransactionalRunIsReportedInItsProcess() throws Exception {
        var request = claimRequest("key-1");
        try (var reports = awakeListener();
                var transaction = store.transactions().begin()) {
            var claimed = record(transaction.tryClaim(request), true);
            outbox.stage(transaction.connection(), message("t", "a"));
            reports.assertNone();
            transaction.completeAndCommit(request, claimed, payload("paid"));
            reports.assertReported("committed t");
        }
    }

    @Test
    void commitOfPhaseIsReportedInItsProcess() throws Exception {
        var claimed = acquired(store, claimRequest("key-1"));
        try (var reports = awakeListener();
                var phase = store.transactions().beginPhase()) {
            outbox.stage(phase.connection(), message("t", "a"));
            reports.assertNone();
            phase.writeAndCommit(complete(claimed.claim(), "paid"));
            reports.assertReported("committed t");
        }
    }

    @Test
    void commitOfDeliveryIsReportedInItsProcess() throws Exception {
        stage(message("t", "first"));
        var first = take();
        try (var reports = awakeListener();
                var delivery = outbox.begin()) {
            outbox.stage(delivery.connection(), message("t", "a"));
            reports.assertNone();
            assertThat(delivery.settleAndCommit(List.of(
                            new MessageSettlement.Delivered(first.getFirst().row(), Duration.ZERO))))
                    .isTrue();
            reports.assertReported("committed t");
        }
    }

    @Test
    void commitOfManagedTransactionIsReportedByItsSource() throws Exception {
        var told = new ArrayList<Runnable>();
        var managed = store.outbox(new TransactionSource() {
            @Override
            public ExternalTransaction begin() {
                throw new UnsupportedOperationException();
            }

            @Override
            public boolean runAfterCommit(Connection connection, Runnable action) {
                return told.add(action);
            }
        });
        try (var reports = awakeListener();
                var connection = source.getConnection()) {
            connection.setAutoCommit(false);
            managed.stage(connection, message("t", "a"));
            reports.assertNone();
            connection.commit();
            told.forEach(Runnable::run);
            reports.assertReported("committed t");
        }
    }

    @Test
    void messageWhoseCommitNobodyReportsIsReportedWhenItIsStaged() throws Exception {
        try (var reports = awakeListener();
                var connection = source.getConnection()) {
            connection.setAutoCommit(false);
            outbox.stage(connection, message("t", "a"));
            reports.assertReported("staged t");
            connection.rollback();
        }
    }

    @Test
    void rolledBackTransactionIsNotReported() throws Exception {
        try (var reports = awakeListener()) {
            try (var delivery = outbox.begin()) {
                outbox.stage(delivery.connection(), message("t", "a"));
            }
            reports.assertNone();
        }
    }
}
