package dev.refrain.store.redis;

import static dev.refrain.store.redis.SampleClaims.claim;
import static dev.refrain.store.redis.SampleClaims.complete;
import static dev.refrain.store.redis.SampleClaims.identity;
import static dev.refrain.store.redis.SampleClaims.payload;
import static dev.refrain.store.redis.SampleClaims.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Retention;
import dev.refrain.servers.LossyProxy;
import dev.refrain.servers.RedisServer;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.Fingerprint;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoredRecord;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests two instances, of which one is cut off from the server that the other still reaches: nothing it sends arrives, and nothing it is sent. */
class RedisPartitionTest {

    private final RedisServer server = RedisServer.start();
    private final LossyProxy network = new LossyProxy(server.port());
    private final RedisStore there = RedisStore.at(server.url());
    private final RedisStore cutOff = RedisStore.builder(
                    server.url(LossyProxy.port(LossyProxy.through("redis://there/", network))))
            .timeout(Duration.ofSeconds(2))
            .build();

    @AfterEach
    void close() {
        cutOff.close();
        there.close();
        network.close();
        server.close();
    }

    private static ClaimRequest resumed(Duration lease) {
        return ClaimRequest.of(
                identity("key-1"),
                new Fingerprint("1/test", new byte[Fingerprint.DIGEST_BYTES]),
                UUID.randomUUID(),
                lease,
                LeaseExpiryPolicy.RESUME,
                Retention.of(Duration.ofHours(24)));
    }

    private StoredRecord takeOver(ClaimRequest twin) {
        await().until(() -> claim(there, twin) instanceof ClaimResponse.Acquired);
        return ((ClaimResponse.Acquired) claim(there, twin)).record();
    }

    private void assertOutcome(String text) {
        assertThat(there.find(List.of(identity("key-1")))
                        .getFirst()
                        .orElseThrow()
                        .outcome())
                .contains(payload(text));
    }

    @Test
    void runnerThatIsCutOffPastItsLeaseIsFollowedAndWritesNothing() {
        var before = ((ClaimResponse.Acquired) claim(cutOff, resumed(Duration.ofSeconds(1)))).record();
        network.standStill();
        var after = takeOver(resumed(Duration.ofMinutes(10)));
        assertThat(after.fence()).isEqualTo(before.fence() + 1);
        assertThat(after.id()).isEqualTo(before.id());
        assertThat(complete(there, after.claim(), "paid")).isEqualTo(new RecordWriteResponse.Written());

        network.breakOff();
        network.heal();
        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(complete(cutOff, before.claim(), "late"))
                        .isInstanceOf(RecordWriteResponse.Refused.class));
        assertOutcome("paid");
    }

    /** What stood still on the way arrives when the network is heard again: also then it is too late. */
    @Test
    void completionThatArrivesAfterItsLeaseWasTakenOverIsRefused() {
        var before = ((ClaimResponse.Acquired) claim(cutOff, resumed(Duration.ofSeconds(1)))).record();
        network.standStill();
        assertThatThrownBy(() -> complete(cutOff, before.claim(), "late")).isInstanceOf(StoreException.class);
        var after = takeOver(resumed(Duration.ofMinutes(10)));

        network.heal();
        await().ignoreExceptions().until(() -> claim(cutOff, request("another")) instanceof ClaimResponse.Acquired);

        assertThat(complete(there, after.claim(), "paid")).isEqualTo(new RecordWriteResponse.Written());
        assertOutcome("paid");
    }

    @Test
    void oneOfTwoInstancesThatIsCutOffUnderLoadLosesAndDoublesNothing() throws Exception {
        try (var traffic = new TwinClaims()) {
            traffic.send(there);
            traffic.send(cutOff);
            traffic.awaitMore(100);
            network.standStill();
            traffic.awaitMore(200);
            network.breakOff();
            network.heal();
            traffic.awaitEnd();

            traffic.assertEachWasClaimedOnceAndNoneIsLost(there);
        }
    }
}
