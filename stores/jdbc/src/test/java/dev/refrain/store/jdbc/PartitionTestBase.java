package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.acquired;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.complete;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.found;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.payload;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.record;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.retryOf;
import static dev.refrain.store.jdbc.TwinTraffic.KEYS;
import static dev.refrain.store.jdbc.TwinTraffic.awaitAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.servers.LossyProxy;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two instances, of which one is cut off from the database that the other still reaches: nothing it sends arrives, and nothing it is sent. */
abstract class PartitionTestBase {

    private final String url = freshDatabase();
    private final LossyProxy network = new LossyProxy(LossyProxy.port(url));
    private final String throughNetwork = LossyProxy.through(url, network);

    abstract String freshDatabase();

    abstract DataSource connections(String database);

    @AfterEach
    void close() {
        network.close();
    }

    @Test
    void runnerThatIsCutOffPastItsLeaseIsFollowedAndWritesNothing() throws Exception {
        try (var there = JdbcStore.on(connections(url));
                var cutOff = JdbcStore.on(connections(throughNetwork));
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var wish = claimRequest("k", LeaseExpiryPolicy.RESUME, Duration.ofSeconds(2));
            var before = acquired(cutOff, wish);
            network.standStill();
            var late = threads.submit(() -> cutOff.write(List.of(complete(before.claim(), "late"))));

            var twin = retryOf(claimRequest("k"));
            await().until(() -> ClaimRequestFixtures.claim(there, twin) instanceof ClaimResponse.Acquired);
            var after = acquired(there, twin);
            assertThat(after.fence()).isEqualTo(before.fence() + 1);
            assertThat(after.id()).isEqualTo(before.id());
            assertThat(there.write(List.of(complete(after.claim(), "paid"))))
                    .containsExactly(new RecordWriteResponse.Written());
            network.heal();

            // Arrived now, or was given up.
            try {
                assertThat(late.get(1, TimeUnit.MINUTES)).hasOnlyElementsOfType(RecordWriteResponse.Refused.class);
            } catch (ExecutionException given) {
                assertThat(given.getCause()).isInstanceOf(StoreException.class);
            }
            await().ignoreExceptionsInstanceOf(StoreException.class)
                    .untilAsserted(() -> assertThat(cutOff.write(List.of(complete(before.claim(), "late"))))
                            .hasOnlyElementsOfType(RecordWriteResponse.Refused.class));
            assertThat(found(cutOff, retryOf(wish)).outcome()).contains(payload("paid"));
        }
    }

    /** Its statements end within their time, and it can be known whether anything was asked for. */
    @Test
    void instanceThatIsCutOffClaimsNothingAndComesBack() {
        try (var there = JdbcStore.on(connections(url));
                var cutOff = JdbcStore.builder(connections(throughNetwork))
                        .lockTimeout(Duration.ofSeconds(1))
                        .statementTimeout(Duration.ofSeconds(1))
                        .build()) {
            acquired(cutOff, claimRequest("before"));
            network.standStill();
            var wish = claimRequest("k");

            assertThatThrownBy(() -> ClaimRequestFixtures.claim(cutOff, wish))
                    .asInstanceOf(type(StoreException.class))
                    .returns(true, StoreException::isTransient);

            assertThat(there.find(List.of(wish.identity())).getFirst()).isEmpty();
            var taken = acquired(there, retryOf(wish));
            network.breakOff();
            network.heal();
            await().ignoreExceptionsInstanceOf(StoreException.class)
                    .until(() -> record(ClaimRequestFixtures.claim(cutOff, wish), false)
                            .claim()
                            .equals(taken.claim()));
        }
    }

    /** Its open transaction is rolled back once the database hears that it is gone; then the key runs elsewhere. */
    @Test
    void transactionThatIsCutOffHoldsItsKeyUntilItsConnectionBreaks() throws Exception {
        try (var there = JdbcStore.on(connections(url));
                var cutOff = JdbcStore.on(connections(throughNetwork));
                var transaction = cutOff.transactions().begin()) {
            var wish = claimRequest("k");
            var held = record(transaction.tryClaim(wish), true);
            transaction.complete(wish, held, payload("never"));
            network.standStill();
            try (var twin = there.transactions().begin()) {
                assertThat(twin.tryClaim(retryOf(wish))).isNotInstanceOf(ClaimResponse.Acquired.class);
            }

            network.breakOff();

            assertThatThrownBy(transaction::commit)
                    .asInstanceOf(type(StoreException.class))
                    .returns(Effect.UNKNOWN, StoreException::effect);
            await().ignoreExceptionsInstanceOf(StoreException.class).until(() -> {
                try (var twin = there.transactions().begin()) {
                    if (!(twin.tryClaim(retryOf(wish)) instanceof ClaimResponse.Acquired acquired)) {
                        return false;
                    }
                    twin.complete(wish, acquired.record(), payload("paid"));
                    twin.commit();
                    return true;
                }
            });
            assertThat(found(there, retryOf(wish)).outcome()).contains(payload("paid"));
        }
    }

    @Test
    void oneOfTwoInstancesThatIsCutOffUnderLoadLosesAndDoublesNothing() throws Exception {
        try (var traffic = new TwinTraffic()) {
            var first = traffic.instance(url, connections(url));
            var second = traffic.instance(throughNetwork, connections(throughNetwork));
            var there = first.send();
            var cutOff = second.send();
            traffic.awaitAnswered(KEYS / 2);
            network.standStill();
            traffic.awaitAnswered(KEYS);
            network.breakOff();
            awaitAll(there);
            network.heal();
            awaitAll(cutOff);

            traffic.assertNothingDoubledAndNothingLost(connections(url));
        }
    }
}
