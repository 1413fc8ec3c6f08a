package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.acquired;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequests;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.complete;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.record;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.retryOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.refrain.servers.MariadbServer;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoreException.Effect;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * What somebody else has locked or not committed delays nobody else on MySQL and MariaDB. The store would wait far longer for a lock than the tests
 * wait for it: what comes back while the lock is held has not waited for it, however slow the machine is.
 */
@EnabledIf(value = "dev.refrain.servers.MariadbServer#isAvailable", disabledReason = "no MariaDB for this platform")
class MysqlLockDelayTest {

    private static final Duration FOR_EVER = Duration.ofHours(1);

    private final String url = MariadbServer.shared().freshDatabase();
    private final RawSql sql = new RawSql(MariadbServer.dataSource(url));
    private final JdbcStore store = JdbcStore.builder(MariadbServer.dataSource(url))
            .lockTimeout(FOR_EVER)
            .statementTimeout(FOR_EVER)
            .build();

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void releasedRowThatAPersonHasLockedIsBusyAndDelaysNobody() throws Exception {
        var released = claimRequest("released");
        store.write(List.of(new RecordWrite.Release(acquired(store, released).claim())));

        othersGoOnWhileItIsBusy(released);

        assertThat(acquired(store, retryOf(released)).fence()).isEqualTo(2);
    }

    @Test
    void expiredRowThatAPersonHasLockedIsBusyAndDelaysNobody() throws Exception {
        var expired = claimRequest("expired");
        store.write(List.of(new RecordWrite.Release(acquired(store, expired).claim())));
        sql.execute("UPDATE refrain_record SET expires_at = 1");

        othersGoOnWhileItIsBusy(expired);

        assertThat(acquired(store, retryOf(expired)).fence()).isEqualTo(1);
    }

    @Test
    void uncommittedInsertDelaysNoNewKeyOfItsBatch() throws Exception {
        var inTheWay = claimRequest("in the way");

        var answer = claimWith(
                inTheWay,
                "INSERT INTO refrain_record (lookup, id, owner, fence, lease_until, expires_at, claimed_at, state, hold,"
                        + " fingerprint, recipe, scope, namespace, `key`) VALUES (" + lookup(inTheWay)
                        + ", UNHEX(REPEAT('07', 16)), UNHEX(REPEAT('07', 16)), 1, 1, 1, 1, 1, 0, REPEAT('x', 32), 'r', 's', 'n', 'k')");

        assertThat(answer).isEqualTo(new ClaimResponse.LockedByTransaction());
        acquired(store, inTheWay);
    }

    @Test
    void lockedRowDelaysNoCompletionOfItsBatch() throws Exception {
        var locked = acquired(store, claimRequest("locked")).claim();
        var batch = new ArrayList<RecordWrite>();
        store.claim(claimRequests("done-", 63))
                .forEach(answer -> batch.add(complete(record(answer, true).claim(), "done")));
        batch.add(complete(locked, "done"));

        var answers = whileOpen(locking(claimRequest("locked")), () -> store.write(batch));

        assertThat(answers.subList(0, 63)).containsOnly(new RecordWriteResponse.Written());
        assertThat(answers.getLast()).isInstanceOf(RecordWriteResponse.Failed.class);
    }

    private void othersGoOnWhileItIsBusy(ClaimRequest locked) throws Exception {
        assertThat(claimWith(locked, locking(locked)))
                .asInstanceOf(type(ClaimResponse.Failed.class))
                .satisfies(busy -> assertThat(busy.failure().isTransient()).isTrue())
                .satisfies(busy -> assertThat(busy.failure()).isNotInstanceOf(RowRejectedException.class))
                .satisfies(busy -> assertThat(busy.failure().effect()).isEqualTo(Effect.NONE));
    }

    /** Claims a key in a batch of new ones, which are all acquired, and returns what is said of it. */
    private ClaimResponse claimWith(ClaimRequest inTheWay, String persons) throws Exception {
        var batch = new ArrayList<>(claimRequests("new-", 63));
        batch.add(retryOf(inTheWay));
        var answers = whileOpen(persons, () -> store.claim(batch));
        assertThat(answers.subList(0, 63)).allMatch(ClaimResponse.Acquired.class::isInstance);
        return answers.getLast();
    }

    /** Calls while a person's transaction with this statement is open. */
    private <T> T whileOpen(String statement, Callable<T> call) throws Exception {
        try (var person = MariadbServer.dataSource(url).getConnection()) {
            person.setAutoCommit(false);
            execute(person, statement);
            var running = new FutureTask<>(call);
            Thread.startVirtualThread(running);
            try {
                return running.get(1, TimeUnit.MINUTES);
            } finally {
                person.rollback();
            }
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String locking(ClaimRequest wish) {
        return "SELECT state FROM refrain_record WHERE lookup = " + lookup(wish) + " FOR UPDATE";
    }

    private static String lookup(ClaimRequest wish) {
        return "UNHEX('" + wish.lookup().asUuid().toString().replace("-", "") + "')";
    }
}
