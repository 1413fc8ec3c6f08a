package dev.refrain.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.Payload;
import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageLeaseRequest;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.OutboxStore;
import dev.refrain.store.outbox.StagedMessage;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
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
            assertThat(heard.poll(10, TimeUnit.SECONDS)).isEmpty();
            stage(message("t", "a"));
            assertThat(heard.poll(10, TimeUnit.SECONDS)).isIn("t", "");
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
}
