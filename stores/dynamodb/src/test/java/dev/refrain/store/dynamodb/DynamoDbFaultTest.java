package dev.refrain.store.dynamodb;

import static dev.refrain.store.dynamodb.SampleClaims.acquire;
import static dev.refrain.store.dynamodb.SampleClaims.claim;
import static dev.refrain.store.dynamodb.SampleClaims.complete;
import static dev.refrain.store.dynamodb.SampleClaims.identity;
import static dev.refrain.store.dynamodb.SampleClaims.payload;
import static dev.refrain.store.dynamodb.SampleClaims.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.api.Payload;
import dev.refrain.servers.DynamoDbLocal;
import dev.refrain.servers.LossyProxy;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoreLocation;
import java.net.URI;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/** Tests a server that is killed, replies that are lost or late, and items that are throttled or too large. */
@EnabledIfSystemProperty(named = "tests.stores", matches = "true", disabledReason = "needs DynamoDB Local: -Pstores")
class DynamoDbFaultTest {

    private static DynamoDbLocal server;
    private static LossyProxy proxy;

    @BeforeAll
    static void startServer() {
        server = DynamoDbLocal.start();
        proxy = new LossyProxy(server.port());
    }

    @AfterAll
    static void stopServer() {
        proxy.close();
        server.close();
    }

    private static Store open(String table, String parameters) {
        return StoreLocation.of("dynamodb://eu-central-1/" + table + "?endpoint=" + server.endpoint() + parameters)
                .login("any", "any")
                .open();
    }

    private static String throughProxy() {
        return LossyProxy.through("http://127.0.0.1/", proxy).replaceAll("/$", "");
    }

    private static Store openThroughProxy(String table) {
        return StoreLocation.of("dynamodb://eu-central-1/" + table + "?timeout=2s&endpoint=" + throughProxy())
                .login("any", "any")
                .open();
    }

    private static StoreException failure(ClaimResponse answer) {
        assertThat(answer).isInstanceOf(ClaimResponse.Failed.class);
        return ((ClaimResponse.Failed) answer).failure();
    }

    @Test
    void acknowledgedOutcomesSurviveKillsUnderLoad() {
        try (var store = open("kills", "&timeout=5s")) {
            for (int round = 0; round < 2; round++) {
                Queue<String> done = new ConcurrentLinkedQueue<>();
                try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
                    for (int caller = 0; caller < 8; caller++) {
                        String name = "key-" + round + "-" + caller + "-";
                        callers.execute(() -> completeUntilItFails(store, name, done));
                    }
                    await().until(() -> done.size() > 100);
                    server.killHard();
                }
                server.restart();
                await().ignoreExceptions()
                        .until(() ->
                                store.find(List.of(identity("none"))).getFirst().isEmpty());

                for (String key : done) {
                    var record = store.find(List.of(identity(key))).getFirst().orElseThrow();
                    assertThat(record.state()).isEqualTo(RecordState.COMPLETED);
                    assertThat(record.outcome()).contains(payload(key));
                    assertThat(claim(store, request(key))).isInstanceOf(ClaimResponse.Found.class);
                }
            }
        }
    }

    private static void completeUntilItFails(Store store, String name, Queue<String> done) {
        for (int i = 0; ; i++) {
            if (!(claim(store, request(name + i)) instanceof ClaimResponse.Acquired acquired)
                    || !(complete(store, acquired.record().claim(), name + i) instanceof RecordWriteResponse.Written)) {
                return;
            }
            done.add(name + i);
        }
    }

    /** The first call may still find a connection that it takes for open. */
    @Test
    void failureOfUnsentCallIsNeverUnknown() {
        try (var store = open("unreachable", "")) {
            server.killHard();
            try {
                await().until(() -> failure(claim(store, request("key-1"))).effect() == Effect.NONE);
            } finally {
                server.restart();
            }
        }
    }

    @Test
    void claimAndOutcomeWhoseRepliesWereLostAreFoundByAskingAgain() {
        try (var store = openThroughProxy("lost")) {
            var request = request("key-1");
            proxy.loseReplies();
            assertThat(failure(claim(store, request)).effect()).isEqualTo(Effect.UNKNOWN);
            proxy.heal();

            var record = ((ClaimResponse.Acquired) claim(store, request)).record();
            assertThat(record.fence()).isEqualTo(1);
            assertThat(claim(store, request("key-1"))).isInstanceOf(ClaimResponse.Found.class);

            proxy.loseReplies();
            assertThat(complete(store, record.claim(), "paid")).isInstanceOf(RecordWriteResponse.Failed.class);
            proxy.heal();
            assertThat(complete(store, record.claim(), "paid")).isEqualTo(new RecordWriteResponse.Written());
            assertThat(complete(store, record.claim(), "other")).isInstanceOf(RecordWriteResponse.Refused.class);
        } finally {
            proxy.heal();
        }
    }

    /** The first attempt took effect, and the second one meets its own item. */
    @Test
    void claimThatTheClientItselfSentTwiceIsAcquiredOnce() {
        try (var client = DynamoDbClient.builder()
                        .endpointOverride(URI.create(throughProxy()))
                        .region(Region.EU_CENTRAL_1)
                        .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("any", "any")))
                        .overrideConfiguration(override -> override.retryStrategy(retry -> retry.maxAttempts(50)))
                        .build();
                var store = DynamoDbStore.builder(client, "twice")
                        .timeout(Duration.ofSeconds(60))
                        .build()) {
            acquire(store, "warm-up");
            int before = proxy.sent();
            proxy.loseReplies();
            var claimed = CompletableFuture.supplyAsync(() -> claim(store, request("key-1")));
            await().until(() -> proxy.sent() > before);
            await().until(() -> isStored("twice", "key-1"));
            proxy.heal();

            var record = ((ClaimResponse.Acquired) claimed.join()).record();
            assertThat(record.fence()).isEqualTo(1);
            assertThat(complete(store, record.claim(), "paid")).isEqualTo(new RecordWriteResponse.Written());
        } finally {
            proxy.heal();
        }
    }

    private static boolean isStored(String table, String key) {
        try (var store = open(table, "")) {
            return store.find(List.of(identity(key))).getFirst().isPresent();
        }
    }

    @Test
    void silentServerIsWaitedForNoLongerThanTheTimeout() {
        try (var store = openThroughProxy("silent")) {
            proxy.fallSilent();
            assertThat(failure(claim(store, request("key-1"))).effect()).isEqualTo(Effect.UNKNOWN);
        } finally {
            proxy.heal();
            proxy.breakOff();
        }
    }

    @Test
    void lateRepliesAreAnsweredRight() {
        try (var store = openThroughProxy("late")) {
            proxy.delayReplies(Duration.ofMillis(200));
            var claimed = acquire(store, "key-1");
            assertThat(complete(store, claimed, "paid")).isEqualTo(new RecordWriteResponse.Written());
        } finally {
            proxy.heal();
        }
    }

    /** DynamoDB Local does not throttle: the client itself fails the calls for one key as the service does. */
    @Test
    void throttledItemFailsAlone() {
        var throttled = identity("throttled").hash();
        var interceptor = new ExecutionInterceptor() {
            @Override
            public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
                if (context.request() instanceof PutItemRequest put
                        && put.item()
                                .get("pk")
                                .equals(DynamoDbItems.key(throttled).get("pk"))) {
                    throw ProvisionedThroughputExceededException.builder()
                            .message("slow down")
                            .statusCode(400)
                            .awsErrorDetails(AwsErrorDetails.builder()
                                    .errorCode("ProvisionedThroughputExceededException")
                                    .build())
                            .build();
                }
            }
        };
        try (var client = DynamoDbClient.builder()
                        .endpointOverride(URI.create(server.endpoint()))
                        .region(Region.EU_CENTRAL_1)
                        .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("any", "any")))
                        .overrideConfiguration(override -> override.addExecutionInterceptor(interceptor)
                                .retryStrategy(retry -> retry.maxAttempts(1)))
                        .build();
                var store = DynamoDbStore.builder(client, "throttled").build()) {
            var requests = sorted(request("key-1"), request("throttled"), request("key-2"));

            var answers = store.claim(requests);

            for (int i = 0; i < requests.size(); i++) {
                if (requests.get(i).lookup().equals(throttled)) {
                    assertThat(failure(answers.get(i)).isTransient()).isTrue();
                    assertThat(failure(answers.get(i))).hasMessageContaining("throttled");
                } else {
                    assertThat(answers.get(i)).isInstanceOf(ClaimResponse.Acquired.class);
                }
            }
        }
    }

    private static List<ClaimRequest> sorted(ClaimRequest... requests) {
        return Stream.of(requests)
                .sorted(Comparator.comparing(ClaimRequest::lookup))
                .toList();
    }

    @Test
    void itemThatIsTooLargeIsRefusedInASentenceAndAlone() {
        try (var store = open("large", "")) {
            var large = Payload.of(new byte[DynamoDbItems.MAX_ITEM_BYTES]);
            var first = acquire(store, "key-1");
            var second = acquire(store, "key-2");

            var answers = store.write(List.of(
                    new RecordWrite.Complete(first, Optional.of(large), Optional.empty()),
                    new RecordWrite.Complete(second, Optional.of(payload("small")), Optional.empty())));

            assertThat(answers.getFirst()).isInstanceOfSatisfying(RecordWriteResponse.Failed.class, failed -> {
                assertThat(failed.failure()).isInstanceOf(RowRejectedException.class);
                assertThat(failed.failure().effect()).isEqualTo(Effect.NONE);
                assertThat(failed.failure()).hasMessageContaining("DynamoDB stores at most 409600 in one item");
            });
            assertThat(answers.getLast()).isEqualTo(new RecordWriteResponse.Written());
            assertThat(store.find(List.of(identity("key-1")))
                            .getFirst()
                            .orElseThrow()
                            .state())
                    .isEqualTo(RecordState.IN_PROGRESS);
        }
    }
}
