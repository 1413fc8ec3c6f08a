package dev.refrain.store.dynamodb;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

/** Makes the table of a store, or checks that there is one: its key, its indexes and its time to live. */
final class TableSetup {

    private static final Map<String, List<String>> INDEXES = new TreeMap<>(Map.of(
            DynamoDbItems.LISTS, List.of(DynamoDbItems.LIST, DynamoDbItems.LISTED_SINCE),
            DynamoDbItems.SCOPES, List.of(DynamoDbItems.SCOPE_SHARD)));

    private static final System.Logger LOG = System.getLogger(TableSetup.class.getName());

    private final DynamoDbClient client;
    private final String table;

    TableSetup(DynamoDbClient client, String table) {
        this.client = client;
        this.table = table;
    }

    /**
     * Leaves a table that the store can use.
     *
     * @param create whether to make one that is missing
     * @return whether the table is in one region only; of two regions that write at once, the later write would win
     */
    boolean prepare(boolean create) {
        try {
            var found = describe();
            if (found.isEmpty()) {
                if (!create) {
                    throw StoreException.permanent(
                            "There is no table " + table + " in DynamoDB. Create it by `refrain migrate --store"
                                    + " dynamodb://REGION/" + table + "`, or let the store do so.",
                            Effect.NONE,
                            null);
                }
                create();
                return true;
            }
            requireUsable(found.orElseThrow());
            checkTimeToLive(create);
            return isInOneRegion(found.orElseThrow());
        } catch (StoreException e) {
            throw e;
        } catch (RuntimeException e) {
            throw DynamoDbErrors.of("Preparing table " + table, e);
        }
    }

    private boolean isInOneRegion(TableDescription found) {
        if (found.replicas().isEmpty()) {
            return true;
        }
        LOG.log(
                System.Logger.Level.WARNING,
                "Table {0} has replicas in other regions, which do not know at once what is written here: the same key can run in each. The store"
                        + " is not correct; operations that demand a correct one are refused.",
                table);
        return false;
    }

    private Optional<TableDescription> describe() {
        try {
            return Optional.of(
                    client.describeTable(request -> request.tableName(table)).table());
        } catch (ResourceNotFoundException e) {
            return Optional.empty();
        }
    }

    private void create() {
        try {
            var unused = client.createTable(definition());
        } catch (ResourceInUseException e) {
            // Another instance makes it at this moment.
        }
        try (var waiter = client.waiter()) {
            var unused = waiter.waitUntilTableExists(request -> request.tableName(table));
        }
        requireUsable(describe().orElseThrow());
        checkTimeToLive(true);
    }

    private CreateTableRequest definition() {
        var attributes = new TreeMap<String, AttributeDefinition>();
        attributes.put(DynamoDbItems.PARTITION_KEY, attribute(DynamoDbItems.PARTITION_KEY));
        INDEXES.values().forEach(keys -> keys.forEach(key -> attributes.put(key, attribute(key))));
        return CreateTableRequest.builder()
                .tableName(table)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(attributes.values())
                .keySchema(keys(List.of(DynamoDbItems.PARTITION_KEY)))
                .globalSecondaryIndexes(INDEXES.entrySet().stream()
                        .map(index -> GlobalSecondaryIndex.builder()
                                .indexName(index.getKey())
                                .keySchema(keys(index.getValue()))
                                .projection(projection -> projection.projectionType(ProjectionType.KEYS_ONLY))
                                .build())
                        .toList())
                .build();
    }

    private static AttributeDefinition attribute(String name) {
        return AttributeDefinition.builder()
                .attributeName(name)
                .attributeType(ScalarAttributeType.S)
                .build();
    }

    private static List<KeySchemaElement> keys(List<String> names) {
        return names.stream()
                .map(name -> KeySchemaElement.builder()
                        .attributeName(name)
                        .keyType(name.equals(names.getFirst()) ? KeyType.HASH : KeyType.RANGE)
                        .build())
                .toList();
    }

    private void requireUsable(TableDescription found) {
        var indexes = found.globalSecondaryIndexes().stream()
                .collect(Collectors.toMap(
                        index -> index.indexName(), index -> names(index.keySchema()), (a, b) -> a, TreeMap::new));
        if (!names(found.keySchema()).equals(List.of(DynamoDbItems.PARTITION_KEY))
                || !indexes.entrySet().containsAll(INDEXES.entrySet())) {
            throw StoreException.permanent(
                    "Table " + table + " was not made by Refrain: its keys are " + names(found.keySchema())
                            + " and its indexes " + indexes + ", but " + List.of(DynamoDbItems.PARTITION_KEY) + " and "
                            + INDEXES + " are needed. Name another table.",
                    Effect.NONE,
                    null);
        }
    }

    private static List<String> names(List<KeySchemaElement> keys) {
        return keys.stream().map(KeySchemaElement::attributeName).toList();
    }

    /** Without it nothing is wrong, except that the table grows for ever. */
    private void checkTimeToLive(boolean enable) {
        var status = client.describeTimeToLive(request -> request.tableName(table))
                .timeToLiveDescription()
                .timeToLiveStatus();
        if (status == TimeToLiveStatus.ENABLED || status == TimeToLiveStatus.ENABLING) {
            return;
        }
        if (enable) {
            try {
                var unused = client.updateTimeToLive(request -> request.tableName(table)
                        .timeToLiveSpecification(spec ->
                                spec.attributeName(DynamoDbItems.TIME_TO_LIVE).enabled(true)));
                return;
            } catch (RuntimeException e) {
                LOG.log(System.Logger.Level.DEBUG, "Time to live could not be enabled", e);
            }
        }
        LOG.log(
                System.Logger.Level.WARNING,
                "Table {0} has no time to live, so that expired keys are never deleted. Enable it on attribute {1}.",
                table,
                DynamoDbItems.TIME_TO_LIVE);
    }
}
