package dev.refrain.store.dynamodb;

import static dev.refrain.store.dynamodb.DynamoDbItems.LIST;
import static dev.refrain.store.dynamodb.DynamoDbItems.LISTED_SINCE;
import static dev.refrain.store.dynamodb.DynamoDbItems.LISTS;
import static dev.refrain.store.dynamodb.DynamoDbItems.PARTITION_KEY;
import static dev.refrain.store.dynamodb.DynamoDbItems.REVISION;
import static dev.refrain.store.dynamodb.DynamoDbItems.SCOPES;
import static dev.refrain.store.dynamodb.DynamoDbItems.SCOPE_SHARD;
import static dev.refrain.store.dynamodb.DynamoDbItems.SHARDS;
import static dev.refrain.store.dynamodb.DynamoDbItems.text;

import dev.refrain.api.KeyHash;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.ClaimOrigin;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.cas.RecordRow;
import dev.refrain.store.cas.RecordTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.Select;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** Table of one store. Every put and update has its condition; nothing is ever deleted but by the time to live. Thread-safe. */
final class DynamoDbTable implements RecordTable {

    private static final int READ_CHUNK = 100;
    private static final int SAMPLE_PAGES = 5;
    private static final int SAMPLE = 300;

    private final DynamoDbClient client;
    private final String name;
    private final DynamoDbCalls calls;
    private final DynamoDbOtherItems others;
    private final Runnable closing;

    DynamoDbTable(DynamoDbClient client, String name, DynamoDbCalls calls, Runnable closing) {
        this.client = client;
        this.name = name;
        this.calls = calls;
        this.others = new DynamoDbOtherItems(client, name, calls);
        this.closing = closing;
    }

    @Override
    public List<TableReply> putAll(List<ConditionalPut> puts) {
        return calls.each("Writing a record", puts, this::put, (put, failure) -> new TableReply.Unanswered(failure));
    }

    private TableReply put(ConditionalPut put) {
        try {
            var unused = client.putItem(PutItemRequest.builder()
                    .overrideConfiguration(calls.bounded())
                    .tableName(name)
                    .item(DynamoDbItems.item(put.row()))
                    .conditionExpression(condition(put))
                    .expressionAttributeValues(expected(put))
                    .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                    .build());
            return new TableReply.Stored();
        } catch (ConditionalCheckFailedException e) {
            return e.hasItem() ? DynamoDbItems.present(e.item()) : new TableReply.Absent();
        }
    }

    private static String condition(ConditionalPut put) {
        return put.expected() == null ? "attribute_not_exists(" + PARTITION_KEY + ")" : REVISION + " = :expected";
    }

    private static @Nullable Map<String, AttributeValue> expected(ConditionalPut put) {
        return put.expected() == null ? null : Map.of(":expected", text(put.expected()));
    }

    @Override
    public TableReply putAudited(ConditionalPut put, AuditEntry line) {
        try {
            return calls.once("Resolving a record", () -> {
                var unused = client.transactWriteItems(request -> request.overrideConfiguration(calls.bounded())
                        .transactItems(
                                TransactWriteItem.builder()
                                        .put(Put.builder()
                                                .tableName(name)
                                                .item(DynamoDbItems.item(put.row()))
                                                .conditionExpression(condition(put))
                                                .expressionAttributeValues(expected(put))
                                                .returnValuesOnConditionCheckFailure(
                                                        ReturnValuesOnConditionCheckFailure.ALL_OLD)
                                                .build())
                                        .build(),
                                TransactWriteItem.builder()
                                        .put(others.auditPut(line))
                                        .build()));
                return new TableReply.Stored();
            });
        } catch (StoreException e) {
            return e.getCause() instanceof TransactionCanceledException cancelled
                    ? cancelled(cancelled, e)
                    : new TableReply.Unanswered(e);
        }
    }

    private static TableReply cancelled(TransactionCanceledException cancelled, StoreException failure) {
        var reason = cancelled.cancellationReasons().getFirst();
        return switch (reason.code()) {
            case "ConditionalCheckFailed" ->
                reason.hasItem() ? DynamoDbItems.present(reason.item()) : new TableReply.Absent();
            case "TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded" ->
                new TableReply.Unanswered(StoreException.unavailable(
                        "Another request writes the record, or DynamoDB throttled it. Retry.", Effect.NONE, failure));
            default -> new TableReply.Unanswered(failure);
        };
    }

    @Override
    public List<TableReply> getAll(List<KeyHash> lookups) {
        var chunks = IntStream.iterate(0, from -> from < lookups.size(), from -> from + READ_CHUNK)
                .mapToObj(from -> lookups.subList(from, Math.min(from + READ_CHUNK, lookups.size())))
                .toList();
        return calls
                .each("Reading " + lookups.size() + " records", chunks, this::get, DynamoDbTable::unanswered)
                .stream()
                .flatMap(List::stream)
                .toList();
    }

    private static List<TableReply> unanswered(List<KeyHash> lookups, StoreException failure) {
        return Collections.nCopies(lookups.size(), new TableReply.Unanswered(failure));
    }

    /** An answer has 16 MB at the most, so the rest is asked for again for as long as there is an answer to something. */
    private List<TableReply> get(List<KeyHash> lookups) {
        var found = new HashMap<KeyHash, TableReply>();
        var keys = lookups.stream().distinct().map(DynamoDbItems::key).toList();
        boolean progress = true;
        while (!keys.isEmpty() && progress) {
            var asked = keys;
            var response = client.batchGetItem(request -> request.overrideConfiguration(calls.bounded())
                    .requestItems(Map.of(
                            name,
                            KeysAndAttributes.builder()
                                    .keys(asked)
                                    .consistentRead(true)
                                    .build())));
            response.responses()
                    .getOrDefault(name, List.of())
                    .forEach(item -> found.put(DynamoDbItems.lookupOf(item), DynamoDbItems.present(item)));
            var rest = response.unprocessedKeys().get(name);
            keys = rest == null ? List.of() : rest.keys();
            progress = keys.size() < asked.size();
        }
        for (var key : keys) {
            found.put(
                    DynamoDbItems.lookupOf(key),
                    new TableReply.Unanswered(
                            StoreException.unavailable("DynamoDB throttled the read. Retry.", Effect.NONE, null)));
        }
        return lookups.stream()
                .map(lookup -> found.getOrDefault(lookup, new TableReply.Absent()))
                .toList();
    }

    @Override
    public ListPage list(RecordRow.RecordList list, @Nullable ListPosition after, int limit) {
        int shards = list == RecordRow.RecordList.RUNNING ? SHARDS : 1;
        int first = after == null || shards == 1 ? 0 : DynamoDbItems.shardOf(after.lookup());
        var entries = new ArrayList<ListPosition>();
        boolean more = false;
        for (int shard = first; shard < shards && !more; shard++) {
            if (entries.size() == limit) {
                return new ListPage(entries, true);
            }
            var position = shard == first ? after : null;
            var page = listShard(DynamoDbItems.listOf(list, shard), position, limit - entries.size());
            page.items().forEach(item -> entries.add(DynamoDbItems.position(DynamoDbItems.textOf(item, LISTED_SINCE))));
            more = page.hasLastEvaluatedKey();
        }
        return new ListPage(entries, more);
    }

    private QueryResponse listShard(String list, @Nullable ListPosition after, int limit) {
        var values = new HashMap<String, AttributeValue>();
        values.put(":list", text(list));
        if (after != null) {
            values.put(":after", text(DynamoDbItems.position(after.since(), after.lookup())));
        }
        return calls.once(
                "Listing records",
                () -> client.query(QueryRequest.builder()
                        .overrideConfiguration(calls.bounded())
                        .tableName(name)
                        .indexName(LISTS)
                        .keyConditionExpression("#list = :list" + (after == null ? "" : " AND #since > :after"))
                        .expressionAttributeNames(
                                after == null ? Map.of("#list", LIST) : Map.of("#list", LIST, "#since", LISTED_SINCE))
                        .expressionAttributeValues(values)
                        .limit(limit)
                        .build()));
    }

    @Override
    public void forEachOfScope(String scope, Consumer<List<KeyHash>> page) {
        for (int shard = 0; shard < SHARDS; shard++) {
            @Nullable Map<String, AttributeValue> from = null;
            do {
                var answer = queryScope(scope, shard, from, Select.ALL_PROJECTED_ATTRIBUTES);
                page.accept(answer.items().stream().map(DynamoDbItems::lookupOf).toList());
                from = answer.hasLastEvaluatedKey() ? answer.lastEvaluatedKey() : null;
            } while (from != null);
        }
    }

    @Override
    public long countScope(String scope, long upTo) {
        long count = 0;
        for (int shard = 0; shard < SHARDS && count < upTo; shard++) {
            @Nullable Map<String, AttributeValue> from = null;
            do {
                var answer = queryScope(scope, shard, from, Select.COUNT);
                count += answer.count();
                from = answer.hasLastEvaluatedKey() ? answer.lastEvaluatedKey() : null;
            } while (from != null && count < upTo);
        }
        return Math.min(count, upTo);
    }

    private QueryResponse queryScope(String scope, int shard, @Nullable Map<String, AttributeValue> from, Select what) {
        return calls.once(
                "Listing the records of a scope",
                () -> client.query(QueryRequest.builder()
                        .overrideConfiguration(calls.bounded())
                        .tableName(name)
                        .indexName(SCOPES)
                        .keyConditionExpression("#scope = :scope")
                        .expressionAttributeNames(Map.of("#scope", SCOPE_SHARD))
                        .expressionAttributeValues(Map.of(":scope", text(DynamoDbItems.scopeShard(scope, shard))))
                        .select(what)
                        .exclusiveStartKey(from)
                        .build()));
    }

    @Override
    public List<Map<String, Object>> sample() {
        var rows = new ArrayList<Map<String, Object>>();
        @Nullable Map<String, AttributeValue> from = null;
        for (int pages = 0; pages < SAMPLE_PAGES; pages++) {
            var start = from;
            var page = calls.once(
                    "Looking at payloads",
                    () -> client.scan(ScanRequest.builder()
                            .tableName(name)
                            .consistentRead(true)
                            .limit(SAMPLE)
                            .filterExpression("begins_with(" + PARTITION_KEY + ", :record)")
                            .expressionAttributeValues(Map.of(":record", text(DynamoDbItems.RECORD_PREFIX)))
                            .exclusiveStartKey(start)
                            .build()));
            page.items().forEach(item -> rows.add(DynamoDbItems.values(item)));
            if (!page.hasLastEvaluatedKey()) {
                return rows;
            }
            from = page.lastEvaluatedKey();
        }
        return rows;
    }

    @Override
    public void addAudit(AuditEntry line) {
        others.addAudit(line);
    }

    @Override
    public List<AuditEntry> listAudit(int limit) {
        return others.listAudit(limit);
    }

    @Override
    public void addSteps(ClaimOrigin origin) {
        others.addSteps(origin);
    }

    @Override
    public Collection<String> steps(String operation) {
        return others.steps(operation);
    }

    @Override
    public void addMark(String mark) {
        others.addMark(mark);
    }

    @Override
    public Set<String> marks() {
        return others.marks();
    }

    @Override
    public void close() {
        calls.close();
        closing.run();
    }
}
