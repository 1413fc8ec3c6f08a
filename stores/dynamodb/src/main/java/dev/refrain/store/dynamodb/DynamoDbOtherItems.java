package dev.refrain.store.dynamodb;

import static dev.refrain.store.dynamodb.DynamoDbItems.LIST;
import static dev.refrain.store.dynamodb.DynamoDbItems.LISTED_SINCE;
import static dev.refrain.store.dynamodb.DynamoDbItems.LISTS;
import static dev.refrain.store.dynamodb.DynamoDbItems.PARTITION_KEY;
import static dev.refrain.store.dynamodb.DynamoDbItems.text;

import dev.refrain.store.AuditEntry;
import dev.refrain.store.ClaimOrigin;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** Items that are no records: the audit trail, the steps of operations, the marks of encryption. Thread-safe. */
final class DynamoDbOtherItems {

    private static final String STEPS_PREFIX = "steps#";
    private static final String AUDIT_PREFIX = "audit#";
    private static final String AUDIT_LIST = "AUDIT";
    private static final String MARKS = "encryption-marks";
    private static final String MEMBERS = "members";

    private final DynamoDbClient client;
    private final String name;
    private final DynamoDbCalls calls;

    DynamoDbOtherItems(DynamoDbClient client, String name, DynamoDbCalls calls) {
        this.client = client;
        this.name = name;
        this.calls = calls;
    }

    Put auditPut(AuditEntry line) {
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

    void addAudit(AuditEntry line) {
        var put = auditPut(line);
        var unused = calls.once(
                "Writing the audit trail",
                () -> client.putItem(request ->
                        request.tableName(name).item(put.item()).conditionExpression(put.conditionExpression())));
    }

    List<AuditEntry> listAudit(int limit) {
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
    void addSteps(ClaimOrigin origin) {
        addMembers(
                STEPS_PREFIX + origin.operation(),
                origin.steps(),
                "attribute_not_exists(#members) OR size(#members) <= :most",
                Map.of(":most", AttributeValue.fromN(Integer.toString(ClaimOrigin.MAX_STEPS))));
    }

    Collection<String> steps(String operation) {
        return members(STEPS_PREFIX + operation);
    }

    void addMark(String mark) {
        addMembers(
                MARKS,
                List.of(mark),
                "attribute_not_exists(#members) OR NOT contains(#members, :mark)",
                Map.of(":mark", text(mark)));
    }

    Set<String> marks() {
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
}
