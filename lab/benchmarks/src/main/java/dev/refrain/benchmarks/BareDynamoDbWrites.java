package dev.refrain.benchmarks;

import dev.refrain.store.StoreLocation;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The client library alone, with items of the same attributes and indexes in the same table, side by side. It compares nothing: two callers with one key would
 * both run, and a late one would overwrite the other's answer.
 */
final class BareDynamoDbWrites implements StoreWrites {

    private static final Pattern URL = Pattern.compile("dynamodb://([^/]+)/([^?]+)(?:\\?(?:.*&)?endpoint=([^&]+).*)?");
    private static final int SHARDS = 16;
    private static final int CONNECTIONS = 512;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final DynamoDbClient client;
    private final String table;
    private final byte[] answer;

    BareDynamoDbWrites(StoreLocation location, byte[] answer) {
        var url = URL.matcher(location.url());
        if (!url.matches()) {
            throw new MeasurementFailedException("The URL is not dynamodb://REGION/TABLE.");
        }
        var builder = DynamoDbClient.builder()
                .region(Region.of(url.group(1)))
                .httpClientBuilder(Apache5HttpClient.builder().maxConnections(CONNECTIONS));
        if (url.group(3) != null) {
            builder.endpointOverride(URI.create(url.group(3)));
        }
        location.password()
                .ifPresent(secret -> builder.credentialsProvider(StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(location.user().orElse(""), secret))));
        client = builder.build();
        table = url.group(2);
        this.answer = answer;
    }

    private void each(List<String> keys, Consumer<String> call) {
        CompletableFuture.allOf(keys.stream()
                        .map(key -> CompletableFuture.runAsync(() -> call.accept(key), threads))
                        .toArray(CompletableFuture[]::new))
                .join();
    }

    private static Map<String, AttributeValue> item(String key, String state) {
        var item = new HashMap<String, AttributeValue>();
        String nonce = UUID.randomUUID().toString();
        Map.ofEntries(
                        Map.entry("pk", "bare#" + key),
                        Map.entry("rev", nonce),
                        Map.entry("id", nonce),
                        Map.entry("owner", nonce),
                        Map.entry("state", state),
                        Map.entry("onLeaseExpiry", "HOLD"),
                        Map.entry("scope", "bench"),
                        Map.entry("namespace", "payments"),
                        Map.entry("key", key),
                        Map.entry("operation", ""),
                        Map.entry("recipe", "1/bench"),
                        Map.entry("digest", "d".repeat(32)),
                        Map.entry("scopeShard", Math.floorMod(key.hashCode(), SHARDS) + "#bare"))
                .forEach((name, value) -> item.put(name, AttributeValue.fromS(value)));
        List.of("v", "fence", "beat", "lease", "claimedAt", "expiresAt")
                .forEach(name -> item.put(name, AttributeValue.fromN("1763577600000000")));
        return item;
    }

    @Override
    public void claim(List<String> keys) {
        each(keys, key -> {
            var item = item(key, "IN_PROGRESS");
            item.put("list", AttributeValue.fromS("BARE#" + Math.floorMod(key.hashCode(), SHARDS)));
            item.put("listedSince", AttributeValue.fromS(key));
            client.putItem(request -> request.tableName(table).item(item));
        });
    }

    @Override
    public void complete(List<String> keys) {
        each(keys, key -> {
            var item = item(key, "COMPLETED");
            item.put("outcome", AttributeValue.fromB(SdkBytes.fromByteArray(answer)));
            client.putItem(request -> request.tableName(table).item(item));
        });
    }

    @Override
    public void replay(List<String> keys) {
        each(
                keys,
                key -> client.getItem(request -> request.tableName(table)
                        .key(Map.of("pk", AttributeValue.fromS("bare#" + key)))
                        .consistentRead(true)));
    }

    @Override
    public void close() {
        threads.close();
        client.close();
    }
}
