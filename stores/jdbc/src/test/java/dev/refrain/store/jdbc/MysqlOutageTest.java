package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.acquired;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claim;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.complete;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.found;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.payload;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.retryOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import dev.refrain.servers.LossyProxy;
import dev.refrain.servers.MariadbServer;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** A MariaDB that is killed, and replies that are lost. */
@EnabledIfSystemProperty(named = "tests.stores", matches = "true", disabledReason = "needs MariaDB: -Pstores")
class MysqlOutageTest {

    @Test
    void acknowledgedWritesSurviveAKilledServerAndTheStoreGoesOn() throws SQLException {
        try (var server = MariadbServer.start()) {
            var source = MariadbServer.dataSource(server.freshDatabase());
            try (var store = JdbcStore.on(source)) {
                assertThat(store.traits().durable()).isTrue();
                var done = claimRequest("done");
                var running = claimRequest("running");
                var uncommitted = claimRequest("uncommitted");
                store.write(List.of(complete(acquired(store, done).claim(), "paid")));
                var claim = acquired(store, running).claim();
                try (var transaction = store.transactions().begin()) {
                    var record = ClaimRequestFixtures.record(transaction.tryClaim(uncommitted), true);
                    transaction.complete(uncommitted, record, payload("never"));
                    server.killHard();
                    assertThatThrownBy(transaction::commit)
                            .asInstanceOf(type(StoreException.class))
                            .satisfies(e -> assertThat(e.effect()).isEqualTo(Effect.UNKNOWN));
                }
                assertThatThrownBy(() -> claim(store, retryOf(done)))
                        .asInstanceOf(type(StoreException.class))
                        .satisfies(e -> assertThat(e.isTransient()).isTrue());

                server.restart();

                assertThat(found(store, retryOf(done)).outcome()).contains(payload("paid"));
                assertThat(found(store, retryOf(running)).state()).isEqualTo(RecordState.IN_PROGRESS);
                assertThat(store.write(List.of(complete(claim, "late"))))
                        .containsExactly(new RecordWriteResponse.Written());
                assertThat(store.find(List.of(uncommitted.identity())).getFirst())
                        .isEmpty();
                // Its connection died with the server, and the key's lock with it.
                try (var again = store.transactions().begin()) {
                    assertThat(again.tryClaim(retryOf(uncommitted))).isInstanceOf(ClaimResponse.Acquired.class);
                }
            }
        }
    }

    @Test
    void claimWhoseReplyIsLostIsFoundAgainAsItsOwn() throws SQLException {
        String url = MariadbServer.shared().freshDatabase();
        try (var proxy = new LossyProxy(LossyProxy.port(url));
                var store = JdbcStore.on(MariadbServer.dataSource(LossyProxy.through(url, proxy)))) {
            var first = claimRequest("first");
            acquired(store, first);
            var wish = claimRequest("k");
            proxy.loseReplies();
            assertThatThrownBy(() -> claim(store, wish))
                    .asInstanceOf(type(StoreException.class))
                    .satisfies(e -> assertThat(e.isTransient()).isTrue());
            proxy.heal();

            assertThat(acquired(store, wish).fence()).isEqualTo(1);
            assertThat(claim(store, retryOf(wish))).isInstanceOf(ClaimResponse.Found.class);
        }
    }

    /** A reply that is under way is no lost one: nobody else may take the key meanwhile. */
    @Test
    void claimWhoseReplyIsSlowIsItsOwnersAlone() throws Exception {
        String url = MariadbServer.shared().freshDatabase();
        try (var direct = JdbcStore.on(MariadbServer.dataSource(url));
                var proxy = new LossyProxy(LossyProxy.port(url));
                var store = JdbcStore.on(MariadbServer.dataSource(LossyProxy.through(url, proxy)));
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            acquired(store, claimRequest("first"));
            var wish = claimRequest("k");
            proxy.delayReplies(Duration.ofMillis(500));
            var slow = threads.submit(() -> acquired(store, wish));
            await().atMost(Duration.ofSeconds(60))
                    .until(() ->
                            direct.find(List.of(wish.identity())).getFirst().isPresent());

            assertThat(claim(direct, retryOf(wish))).isInstanceOf(ClaimResponse.Found.class);
            var claim = slow.get(60, TimeUnit.SECONDS);
            assertThat(claim.fence()).isEqualTo(1);
            assertThat(store.write(List.of(complete(claim.claim(), "paid"))))
                    .containsExactly(new RecordWriteResponse.Written());
            assertThat(found(direct, retryOf(wish)).outcome()).contains(payload("paid"));
        }
    }
}
