package dev.refrain.http.edge;

import dev.refrain.Refrain;
import dev.refrain.api.AnswerHeader;
import dev.refrain.api.ClientKey;
import dev.refrain.api.Payload;
import dev.refrain.api.RefrainException;
import dev.refrain.api.ScopedKey;
import dev.refrain.http.internal.json.RecordExplanationJson;
import dev.refrain.internal.json.JsonText;
import dev.refrain.internal.json.JsonValue;
import dev.refrain.store.OutcomeFormat;
import dev.refrain.store.StoredRecord;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reports the status of an earlier request: running, completed with its outcome, released for a retry, or unknown. A key is
 * visible only in the scope that sent it. Thread-safe.
 */
public final class KeyStatusEndpoint {

    private final Refrain refrain;
    private final String namespace;
    private final ContractAndStatusPaths places;
    private final ProblemResponses problems;

    /**
     * Creates the endpoint.
     *
     * @param namespace the namespace of the API's keys
     */
    public KeyStatusEndpoint(Refrain refrain, String namespace, ContractAndStatusPaths places) {
        this.refrain = refrain;
        this.namespace = namespace;
        this.places = places;
        this.problems = new ProblemResponses(places.contract());
    }

    /** Extracts the key whose status is asked for; empty for any other path. */
    Optional<String> keyFromPath(String path) {
        return places.keyFromPath(path);
    }

    /**
     * Returns the status of a key.
     *
     * @param key with the caller's scope, resolved in the same way as for the original request
     */
    EdgeResponse statusOf(ClientKey key) {
        try {
            var identity = key.inNamespace(namespace);
            return refrain.admin()
                    .find(identity)
                    .map(record -> told(identity, record))
                    .orElseGet(this::unknown);
        } catch (RefrainException failure) {
            return problems.response(failure);
        }
    }

    private EdgeResponse told(ScopedKey identity, StoredRecord record) {
        return switch (record.state()) {
            case IN_PROGRESS -> state("running", identity).withHeader(new AnswerHeader("Retry-After", "1"));
            case RELEASED -> state("released", identity);
            case ATTENTION ->
                problems.response(
                        EdgeProblem.OUTCOME_UNKNOWN,
                        "It will not run again until an operator has resolved it.",
                        explained(identity));
            case COMPLETED -> outcome(record);
        };
    }

    private EdgeResponse outcome(StoredRecord record) {
        return record.outcome()
                .map(OutcomeFormat::decode)
                .map(answer -> ResponseMapper.replay(problems, answer)
                        .withHeader(new AnswerHeader(RouteProtection.REPLAYED, "true")))
                .orElseGet(
                        () -> problems.response(EdgeProblem.ANSWER_NOT_KEPT, "It took effect and will not run again."));
    }

    private Map<String, Object> explained(ScopedKey identity) {
        return refrain.admin()
                .explain(identity)
                .map(RecordExplanationJson::forCaller)
                .orElseGet(Map::of);
    }

    private EdgeResponse state(String state, ScopedKey identity) {
        var body = new LinkedHashMap<String, Object>();
        body.put("state", state);
        body.putAll(explained(identity));
        return new EdgeResponse(
                200,
                List.of(
                        new AnswerHeader("Content-Type", "application/json"),
                        new AnswerHeader("Cache-Control", "no-store")),
                Payload.of(JsonText.compact(JsonValue.of(body)).getBytes(StandardCharsets.UTF_8)),
                new ResponseOrigin.OwnPage());
    }

    private EdgeResponse unknown() {
        return problems.response(EdgeProblem.NOT_KNOWN, "You never sent it, or its retention is over.");
    }
}
