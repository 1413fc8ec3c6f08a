package dev.refrain.store.dynamodb;

import dev.refrain.store.Store;
import dev.refrain.store.StoreLocation;
import dev.refrain.store.StoreOpener;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Opens a {@link DynamoDbStore} by its URL: {@code dynamodb://REGION/TABLE?timeout=2s&clock-allowance=30s&endpoint=http://localhost:8000}.
 * Credentials are those of the environment, as for every AWS client, unless a user (an access key's id) and a password (its secret) are given. Thread-safe.
 */
public final class DynamoDbStoreOpener implements StoreOpener {

    /** Calls of all batches that may be under way at once, so that none waits for a connection. */
    private static final int CONNECTIONS = 512;

    @Override
    public boolean accepts(String url) {
        return DynamoDbUrl.isOfDynamoDb(url);
    }

    @Override
    public String examples() {
        return "dynamodb://REGION/TABLE";
    }

    @Override
    public boolean hasTables() {
        return true;
    }

    @Override
    public Store open(StoreLocation location) {
        if (!location.schema().isEmpty()) {
            throw new IllegalArgumentException(
                    "DynamoDB has no schemas. Leave the schema out; the URL names the table: dynamodb://REGION/TABLE.");
        }
        var url = DynamoDbUrl.read(location.url());
        var client = client(url, location);
        try {
            var builder = new DynamoDbStoreBuilder(client, url.table(), client::close).createTable(location.migrate());
            url.time("timeout").ifPresent(builder::timeout);
            url.time("clock-allowance").ifPresent(builder::clockAllowance);
            return builder.build();
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }

    /** Does not send anything again by itself: who asked does, and waits in between. */
    private static DynamoDbClient client(DynamoDbUrl url, StoreLocation location) {
        var builder = DynamoDbClient.builder()
                .region(Region.of(url.region()))
                .httpClientBuilder(Apache5HttpClient.builder().maxConnections(CONNECTIONS))
                .overrideConfiguration(override -> override.retryStrategy(DefaultRetryStrategy.doNotRetry()));
        url.endpoint().ifPresent(builder::endpointOverride);
        location.password()
                .ifPresent(secret -> builder.credentialsProvider(StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(location.user().orElse(""), secret))));
        return builder.build();
    }
}
