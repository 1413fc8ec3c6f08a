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
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
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

    private static final String STEPS_PREFIX = "steps#";
    private static final String AUDIT_PREFIX = "audit#";
    private static final String AUDIT_LIST = "AUDIT";
    private static final String MARKS = "encryption-marks";
    private static final String MEMBERS = "members";

    private static final int READ_CHUNK = 100;
    private static final int SAMPLE_PAGES = 5;
    private static final int SAMPLE = 300;

    private final DynamoDbClient client;
    private final String name;
    private final DynamoDbCalls calls;
    private final Runnable closing;

    DynamoDbTable(DynamoDbClient client, String name, DynamoDbCalls calls, Runnable closing) {
        this.client = client;
        this.name = name;
        this.calls = calls;
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
                                TransactWriteItem.builder().put(auditPut(line)).build()));
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

    private Put auditPut(AuditEntry line) {
        String key = DynamoDbItems.newKey(AUDIT_PREFIX);
        return Put.builder()
                .tableName(name)
                .item(Map.of(
                        PARTITION_KEY,
                        text(key),
                        LIST,
                        text(AUDIT_LIST),
                        LISTED_SINCE,
                        text(DynamoDbItems.moment(line.at()) + "#" + key),
                        "action",
                        text(line.action()),
                        "target",
                        text(line.target()),
                        "who",
                        text(line.who()),
                        "why",
                        text(line.why())))
                .conditionExpression("attribute_not_exists(" + PARTITION_KEY + ")")
                .build();
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

    private List<TableReply> get(List<KeyHash> lookups) {
        var keys = lookups.stream().map(DynamoDbItems::key).toList();
        var response = client.batchGetItem(request -> request.overrideConfiguration(calls.bounded())
                .requestItems(Map.of(
                        name,
                        KeysAndAttributes.builder()
                                .keys(keys)
                                .consistentRead(true)
                                .build())));
        var found = new HashMap<KeyHash, TableReply>();
        response.responses()
                .getOrDefault(name, List.of())
                .forEach(item -> found.put(DynamoDbItems.lookupOf(item), DynamoDbItems.present(item)));
        var unprocessed = response.unprocessedKeys().get(name);
        if (unprocessed != null) {
            var throttled = new TableReply.Unanswered(StoreException.unavailable(
                    "DynamoDB throttled the read, or it was larger than one answer. Retry.", Effect.NONE, null));
            unprocessed.keys().forEach(key -> found.put(DynamoDbItems.lookupOf(key), throttled));
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
        var put = auditPut(line);
        var unused = calls.once(
                "Writing the audit trail",
                () -> client.putItem(request ->
                        request.tableName(name).item(put.item()).conditionExpression(put.conditionExpression())));
    }

    @Override
    public List<AuditEntry> listAudit(int limit) {
        var lines = new ArrayList<AuditEntry>();
        var keys = calls.once(
                "Listing the audit trail",
                () -> client.query(QueryRequest.builder()
                        .overrideConfiguration(calls.bounded())
                        .tableName(name)
                        .indexName(LISTS)
                        .keyConditionExpression("#list = :list")
                        .expressionAttributeNames(Map.of("#list", LIST))
                        .expressionAttributeValues(Map.of(":list", text(AUDIT_LIST)))
                        .scanIndexForward(false)
                        .limit(limit)
                        .build()));
        for (var key : keys.items()) {
            var found = item(DynamoDbItems.textOf(key, PARTITION_KEY));
            if (!found.isEmpty()) {
                lines.add(line(found));
            }
        }
        return lines;
    }

    private static AuditEntry line(Map<String, AttributeValue> item) {
        String since = DynamoDbItems.textOf(item, LISTED_SINCE);
        return new AuditEntry(
                Instant.EPOCH.plus(Long.parseLong(since.substring(0, since.indexOf('#'))), ChronoUnit.MICROS),
                DynamoDbItems.textOf(item, "action"),
                DynamoDbItems.textOf(item, "target"),
                DynamoDbItems.textOf(item, "who"),
                DynamoDbItems.textOf(item, "why"));
    }

    /** Adds to a set, which has the same effect however often it is sent; a full one stays as it is. */
    @Override
    public void addSteps(ClaimOrigin origin) {
        addMembers(
                STEPS_PREFIX + origin.operation(),
                origin.steps(),
                "attribute_not_exists(#members) OR size(#members) <= :most",
                Map.of(":most", AttributeValue.fromN(Integer.toString(ClaimOrigin.MAX_STEPS))));
    }

    @Override
    public Collection<String> steps(String operation) {
        return members(STEPS_PREFIX + operation);
    }

    @Override
    public void addMark(String mark) {
        addMembers(
                MARKS,
                List.of(mark),
                "attribute_not_exists(#members) OR NOT contains(#members, :mark)",
                Map.of(":mark", text(mark)));
    }

    @Override
    public Set<String> marks() {
        return members(MARKS);
    }

    private void addMembers(String key, List<String> added, String condition, Map<String, AttributeValue> values) {
        var all = new HashMap<>(values);
        all.put(":added", AttributeValue.fromSs(added));
        var unused = calls.once("Adding to " + key, () -> {
            try {
                return client.updateItem(request -> request.tableName(name)
                        .key(Map.of(PARTITION_KEY, text(key)))
                        .updateExpression("ADD #members :added")
                        .conditionExpression(condition)
                        .expressionAttributeNames(Map.of("#members", MEMBERS))
                        .expressionAttributeValues(all));
            } catch (ConditionalCheckFailedException e) {
                // There already, or full.
                return key;
            }
        });
    }

    private Set<String> members(String key) {
        var found = item(key).get(MEMBERS);
        return found == null ? Set.of() : new TreeSet<>(found.ss());
    }

    private Map<String, AttributeValue> item(String key) {
        return calls.once(
                        "Reading " + key,
                        () -> client.getItem(request -> request.tableName(name)
                                .key(Map.of(PARTITION_KEY, text(key)))
                                .consistentRead(true)))
                .item();
    }

    @Override
    public void close() {
        calls.close();
        closing.run();
    }
}
