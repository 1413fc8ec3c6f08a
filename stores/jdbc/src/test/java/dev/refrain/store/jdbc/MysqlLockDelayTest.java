package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.acquired;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequests;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.retryOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.refrain.servers.MariadbServer;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoreException.Effect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** A row that a person has locked delays nobody else, and its key is busy but not in progress. */
@EnabledIfSystemProperty(named = "tests.stores", matches = "true", disabledReason = "needs MariaDB: -Pstores")
class MysqlLockDelayTest {

    /** The least lock timeout of the server, for which the whole batch would wait. */
    private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(1);

    private static final int TRIES = 10;

    private final String url = MariadbServer.shared().freshDatabase();
    private final RawSql sql = new RawSql(MariadbServer.dataSource(url));
    private final JdbcStore store = JdbcStore.on(MariadbServer.dataSource(url));

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

    private void othersGoOnWhileItIsBusy(ClaimRequest locked) throws Exception {
        try (var person = MariadbServer.dataSource(url).getConnection();
                var statement = person.createStatement()) {
            person.setAutoCommit(false);
            statement.execute("SELECT state FROM refrain_record WHERE lookup = UNHEX('"
                    + locked.lookup().asUuid().toString().replace("-", "") + "') FOR UPDATE");
            var soonest = LOCK_TIMEOUT.multipliedBy(100);
            for (int tries = 0; tries < TRIES && soonest.compareTo(LOCK_TIMEOUT) >= 0; tries++) {
                var batch = new ArrayList<>(claimRequests("new-" + tries + "-", 63));
                batch.add(retryOf(locked));
                long begun = System.nanoTime();
                var answers = store.claim(batch);
                var took = Duration.ofNanos(System.nanoTime() - begun);
                soonest = took.compareTo(soonest) < 0 ? took : soonest;

                assertThat(answers.subList(0, 63)).allMatch(ClaimResponse.Acquired.class::isInstance);
                assertThat(answers.getLast())
                        .asInstanceOf(type(ClaimResponse.Failed.class))
                        .satisfies(
                                busy -> assertThat(busy.failure().isTransient()).isTrue())
                        .satisfies(busy -> assertThat(busy.failure()).isNotInstanceOf(RowRejectedException.class))
                        .satisfies(busy -> assertThat(busy.failure().effect()).isEqualTo(Effect.NONE));
            }
            assertThat(soonest).isLessThan(LOCK_TIMEOUT);
            person.rollback();
        }
    }
}
