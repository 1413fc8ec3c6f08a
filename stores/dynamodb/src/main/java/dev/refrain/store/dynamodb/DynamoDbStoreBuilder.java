package dev.refrain.store.dynamodb;

import dev.refrain.api.DurationText;
import dev.refrain.store.StoreClock;
import dev.refrain.store.StoreLimits;
import dev.refrain.store.StoreTraits;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Settings of a {@link DynamoDbStore}. Not thread-safe. */
public final class DynamoDbStoreBuilder {

    private static final int BATCH = 64;
    private static final int CONCURRENT_BATCHES = 4;

    /** A record has a request and a carried state at once, and names beside them; an item has 400 KB. */
    private static final int PAYLOAD_BYTES = 180 << 10;

    private final DynamoDbClient client;
    private final String table;
    private final Runnable closing;
    private Duration timeout = Duration.ofSeconds(5);
    private Duration clockAllowance = Duration.ofSeconds(30);
    private boolean create = true;
    private InstantSource wall = InstantSource.system();
    private LongSupplier nanos = System::nanoTime;

    DynamoDbStoreBuilder(DynamoDbClient client, String table, Runnable closing) {
        this.client = client;
        this.table = table;
        this.closing = closing;
    }

    /** Ends every wait for an answer; 5 s by default. */
    public DynamoDbStoreBuilder timeout(Duration time) {
        timeout = requirePositive("timeout", time);
        return this;
    }

    /**
     * Says by how much the clocks of instances may differ; 30 s by default. Retention ends that much later, and ages are shown that much
     * greater. Leases do not depend on it.
     */
    public DynamoDbStoreBuilder clockAllowance(Duration time) {
        clockAllowance = requirePositive("clockAllowance", time);
        return this;
    }

    /** Says whether a missing table is created and its time to live enabled; true by default. */
    public DynamoDbStoreBuilder createTable(boolean allowed) {
        create = allowed;
        return this;
    }

    /** Replaces the clocks, for tests. */
    DynamoDbStoreBuilder clocks(InstantSource wallClock, LongSupplier monotonic) {
        wall = wallClock;
        nanos = monotonic;
        return this;
    }

    private static Duration requirePositive(String name, Duration time) {
        if (!time.isPositive()) {
            throw new IllegalArgumentException(name + " must be positive, but is " + DurationText.of(time) + ".");
        }
        return time;
    }

    /**
     * Opens the store.
     *
     * @throws dev.refrain.store.StoreException if DynamoDB cannot be reached, or the table is missing or another
     */
    public DynamoDbStore build() {
        boolean correct = new TableSetup(client, table).prepare(create);
        var traits = new StoreTraits(
                "DynamoDB", correct, true, StoreClock.NONE, new StoreLimits(BATCH, CONCURRENT_BATCHES, PAYLOAD_BYTES));
        var calls = new DynamoDbCalls(timeout);
        return new DynamoDbStore(traits, new DynamoDbTable(client, table, calls, closing), clockAllowance, wall, nanos);
    }
}
