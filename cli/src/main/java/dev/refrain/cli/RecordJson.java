package dev.refrain.cli;

import dev.refrain.http.internal.json.RecordExplanationJson;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.ErasureResult;
import dev.refrain.store.RecordView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** JSON form of records, attention items and audit entries. Absent values are omitted. */
final class RecordJson {

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private RecordJson() {}

    static ObjectNode object() {
        return JSON.createObjectNode();
    }

    /** Returns the text of JSON for a terminal: in ASCII, so that nothing that a client sent steers it. */
    static String text(JsonNode json) {
        return JSON.writeValueAsString(json);
    }

    static ObjectNode node(Map<String, Object> members) {
        return JSON.valueToTree(members);
    }

    static ArrayNode array() {
        return JSON.createArrayNode();
    }

    static ObjectNode of(ErasureResult result) {
        var json = object();
        json.put("records", result.erased()).put("recordsLeftInUse", result.leftInUse());
        json.put("messages", result.messages().erased())
                .put("messagesLeftInUse", result.messages().leftInUse());
        json.put("ledgerEntries", result.ledgerEntries().erased())
                .put("ledgerEntriesLeftInUse", result.ledgerEntries().leftInUse());
        return json;
    }

    static ObjectNode of(RecordView record) {
        var json = object();
        json.put("id", record.claim().id().toString());
        json.put("state", record.state().name());
        record.identity().ifPresent(identity -> {
            json.put("scope", identity.scope());
            json.put("namespace", identity.namespace());
            json.put("key", identity.key());
        });
        json.put("fence", record.claim().fence());
        json.put("takeOver", record.takeOver().name());
        record.recipe().ifPresent(recipe -> json.put("fingerprintRecipe", recipe));
        record.recoveryPoint().ifPresent(point -> json.put("recoveryPoint", point.name()));
        record.subject().ifPresent(subject -> json.put("subject", subject));
        var times = record.times();
        json.put("claimed", times.claimed().toString());
        put(json, "completed", times.completed());
        put(json, "leaseUntil", times.leaseUntil());
        put(json, "expires", times.expires());
        json.put("seen", times.seen().toString());
        put(json, "outcomeBytes", record.sizes().outcome());
        put(json, "requestBytes", record.sizes().request());
        put(json, "carriedBytes", record.sizes().carried());
        put(json, "keptRequestBytes", record.sizes().keptRequest());
        record.attention()
                .ifPresent(waiting -> json.putObject("attention")
                        .put("reason", waiting.reason())
                        .put("since", waiting.since().toString()));
        json.set("explanation", node(RecordExplanationJson.forOperator(record.explanation())));
        return json;
    }

    static ObjectNode of(AttentionItem item) {
        var json = object().put("id", item.claim().id().toString())
                .put("scope", item.identity().scope())
                .put("namespace", item.identity().namespace())
                .put("key", item.identity().key())
                .put("fence", item.claim().fence())
                .put("reason", item.reason())
                .put("since", item.since().toString());
        json.set("explanation", node(RecordExplanationJson.forOperator(item.explanation())));
        return json;
    }

    static ArrayNode of(List<AuditEntry> trail) {
        var json = array();
        trail.forEach(entry -> json.addObject()
                .put("at", entry.at().toString())
                .put("action", entry.action())
                .put("target", entry.target())
                .put("who", entry.who())
                .put("why", entry.why()));
        return json;
    }

    private static void put(ObjectNode json, String name, Optional<Instant> moment) {
        moment.ifPresent(m -> json.put(name, m.toString()));
    }

    private static void put(ObjectNode json, String name, OptionalLong number) {
        number.ifPresent(n -> json.put(name, n));
    }
}
