package dev.refrain.http.edge;

import dev.refrain.Refrain;
import dev.refrain.api.OutcomeHeader;
import dev.refrain.api.Payload;
import dev.refrain.api.RefrainException;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.OutcomeFormat;
import dev.refrain.store.StoredRecord;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Answers how a request fares that was sent before: running, its outcome, free to be sent again, or nothing known. Only who
 * sent it is told: in another scope there is no such key. Thread-safe.
 */
public final class KeyStatusEndpoint {

    private final Refrain refrain;
    private final String namespace;
    private final ProblemResponses problems;

    public KeyStatusEndpoint(Refrain refrain, RefrainEndpointPaths places) {
        this(refrain, RouteProtection.NAMESPACE, places);
    }

    /** @param namespace of the API whose requests are asked about */
    public KeyStatusEndpoint(Refrain refrain, String namespace, RefrainEndpointPaths places) {
        this.refrain = refrain;
        this.namespace = namespace;
        this.problems = new ProblemResponses(places.contract());
    }

    /** @param scope who asks, found in the same way as when the request was sent */
    public EdgeResponse statusOf(String scope, String key) {
        try {
            return refrain.admin()
                    .find(new ScopedKey(scope, namespace, key))
                    .map(this::told)
                    .orElseGet(this::unknown);
        } catch (RefrainException failure) {
            return problems.response(failure);
        }
    }

    private EdgeResponse told(StoredRecord record) {
        return switch (record.state()) {
            case IN_PROGRESS -> state("running", List.of(new OutcomeHeader("Retry-After", "1")));
            case RELEASED -> state("released", List.of());
            case ATTENTION ->
                problems.response(ProblemType.OUTCOME_UNKNOWN, "It is not run again until someone has found out.");
            case COMPLETED -> outcome(record);
        };
    }

    private EdgeResponse outcome(StoredRecord record) {
        return record.outcome()
                .map(OutcomeFormat::decode)
                .map(answer -> ResponseMapper.replay(problems, answer)
                        .withHeader(new OutcomeHeader(RouteProtection.REPLAYED, "true")))
                .orElseGet(
                        () -> problems.response(ProblemType.ANSWER_NOT_KEPT, "It took effect and is not run again."));
    }

    private static EdgeResponse state(String state, List<OutcomeHeader> more) {
        var reply = new EdgeResponse(
                200,
                List.of(
                        new OutcomeHeader("Content-Type", "application/json"),
                        new OutcomeHeader("Cache-Control", "no-store")),
                Payload.of(("{\"state\":\"" + state + "\"}").getBytes(StandardCharsets.US_ASCII)));
        for (var header : more) {
            reply = reply.withHeader(header);
        }
        return reply;
    }

    private EdgeResponse unknown() {
        return problems.response(ProblemType.NOT_KNOWN, "It was never sent by you, or is no longer kept.");
    }
}
