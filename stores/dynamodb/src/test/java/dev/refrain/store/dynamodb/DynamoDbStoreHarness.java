package dev.refrain.store.dynamodb;

import dev.refrain.servers.DynamoDbLocal;
import dev.refrain.store.Store;
import dev.refrain.store.contract.StoreHarness;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A store in a table of its own. Each handle has clocks of its own, which the second has ahead by what is allowed. */
final class DynamoDbStoreHarness implements StoreHarness {

    static final Duration ALLOWANCE = Duration.ofSeconds(2);

    private final List<Store> opened = new ArrayList<>();
    private final DynamoDbLocal server;
    private final boolean deletes;
    private final UnaryOperator<Store> around;
    private final DynamoDbClient client;
    private final String table = "refrain-" + UUID.randomUUID();
    private final Instant start = Instant.now();
    private final long startNanos = System.nanoTime();
    private Duration ahead = Duration.ZERO;

    /** @param deletes whether the time to live deletes at once what it may; otherwise it never does */
    DynamoDbStoreHarness(DynamoDbLocal server, boolean deletes, UnaryOperator<Store> around) {
        this.server = server;
        this.deletes = deletes;
        this.around = around;
        this.client = client(server.endpoint());
    }

    static DynamoDbClient client(String endpoint) {
        return DynamoDbClient.builder()
                .endpointOverride(URI.create(endpoint))
                .region(Region.EU_CENTRAL_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("any", "any")))
                .build();
    }

    @Override
    public Store open() {
        return openAhead(Duration.ZERO);
    }

    @Override
    public Store openSecond() {
        return openAhead(ALLOWANCE);
    }

    private Store openAhead(Duration difference) {
        var store = DynamoDbStore.builder(client, table)
                .timeout(Duration.ofSeconds(60))
                .clockAllowance(ALLOWANCE)
                .clocks(() -> start.plus(passed()).plus(difference), () -> passed().toNanos())
                .build();
        opened.add(store);
        return around.apply(store);
    }

    private Duration passed() {
        return ahead.plusNanos(System.nanoTime() - startNanos);
    }

    @Override
    public Optional<Store> reopenAfterCrash() {
        server.restart();
        return Optional.of(openSecond());
    }

    @Override
    public void advanceTime(Duration time) {
        for (var store : opened) {
            while (store.sweep(Duration.ofDays(100_000), 1_000).more()) {
                // Looks at all that is running.
            }
        }
        ahead = ahead.plus(time).plus(ALLOWANCE);
        if (deletes) {
            items().stream()
                    .filter(this::mayBeDeleted)
                    .forEach(item -> client.deleteItem(
                            request -> request.tableName(table).key(Map.of("pk", item.get("pk")))));
        }
    }

    private boolean mayBeDeleted(Map<String, AttributeValue> item) {
        var from = item.get("ttl");
        return from != null && Long.parseLong(from.n()) <= start.plus(passed()).getEpochSecond();
    }

    private List<Map<String, AttributeValue>> items() {
        return client.scanPaginator(request -> request.tableName(table).consistentRead(true)).items().stream()
                .toList();
    }

    @Override
    public void simulateNewerFormat() {
        for (var item : items()) {
            var key = item.get("pk");
            if (key.s().startsWith(DynamoDbItems.RECORD_PREFIX)) {
                client.updateItem(request -> request.tableName(table)
                        .key(Map.of("pk", key))
                        .updateExpression("SET v = v + :one")
                        .expressionAttributeValues(Map.of(":one", AttributeValue.fromN("1"))));
            }
        }
    }

    @Override
    public boolean deletesExpiredItself() {
        return true;
    }

    @Override
    public void close() {
        opened.forEach(Store::close);
        client.deleteTable(request -> request.tableName(table));
        client.close();
    }
}
