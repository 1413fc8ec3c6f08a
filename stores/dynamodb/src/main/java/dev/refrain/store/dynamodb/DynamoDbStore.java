package dev.refrain.store.dynamodb;

import dev.refrain.store.StoreTraits;
import dev.refrain.store.cas.CompareAndSetStore;
import dev.refrain.store.cas.RecordTable;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Store in a table of Amazon DynamoDB.
 * {@snippet :
 * try (var store = DynamoDbStore.builder(DynamoDbClient.create(), "refrain").build()) {
 *     var refrain = Refrain.using(store);
 * }
 * }
 *
 * <p>{@linkplain StoreTraits#correct Correct} and durable within one region. DynamoDB has no clock that a write could read: see {@link
 * dev.refrain.store.StoreClock#NONE}. Every write names the revision of the item that it replaces, reads are consistent, and the time to live only
 * collects what has expired already.
 *
 * <p>Thread-safe. Every wait ends after {@link DynamoDbStoreBuilder#timeout}.
 */
public final class DynamoDbStore extends CompareAndSetStore {

    DynamoDbStore(StoreTraits traits, RecordTable table, Duration allowance, InstantSource wall, LongSupplier nanos) {
        super(traits, table, allowance, wall, nanos);
    }

    /**
     * Returns a builder of a store.
     *
     * @param client the client to use, which the store does not close. Its own retries are harmless: a write that was sent twice
     *     recognises itself
     */
    public static DynamoDbStoreBuilder builder(DynamoDbClient client, String table) {
        return new DynamoDbStoreBuilder(client, table, () -> {});
    }
}
