package dev.refrain.http;

import dev.refrain.Refrain;
import dev.refrain.RefrainException;
import dev.refrain.claim.Judge;
import dev.refrain.http.problem.Problem;
import dev.refrain.http.problem.Problems;
import dev.refrain.key.Identity;
import dev.refrain.outcome.Header;
import dev.refrain.outcome.Outcome;
import dev.refrain.outcome.Payload;
import dev.refrain.store.StoredRecord;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Answers how a request fares that was sent before: running, its outcome, free to be sent again, or nothing known. Only who
 * sent it is told: in another scope there is no such key. Thread-safe.
 */
public final class StatusResource {

    private final Refrain refrain;
    private final String namespace;
    private final Problems problems;

    public StatusResource(Refrain refrain, Places places) {
        this(refrain, Protection.NAMESPACE, places);
    }

    /** @param namespace of the API whose requests are asked about */
    public StatusResource(Refrain refrain, String namespace, Places places) {
        this.refrain = refrain;
        this.namespace = namespace;
        this.problems = new Problems(places.contract());
    }

    /** @param scope who asks, found in the same way as when the request was sent */
    public Reply statusOf(String scope, String key) {
        try {
            return refrain.admin()
                    .find(new Identity(scope, namespace, key))
                    .map(this::told)
                    .orElseGet(this::unknown);
        } catch (RefrainException failure) {
            return problems.response(failure);
        }
    }

    private Reply told(StoredRecord record) {
        return switch (record.state()) {
            case IN_PROGRESS -> state("running", List.of(new Header("Retry-After", "1")));
            case RELEASED -> state("released", List.of());
            case ATTENTION ->
                problems.response(Problem.OUTCOME_UNKNOWN, "It is not run again until someone has found out.");
            case COMPLETED -> outcome(record);
        };
    }

    private Reply outcome(StoredRecord record) {
        return Judge.goes(record) instanceof Outcome.Answer answer
                ? Telling.replay(problems, answer).withHeader(new Header(Protection.REPLAYED, "true"))
                : problems.response(Problem.ANSWER_NOT_KEPT, "It took effect and is not run again.");
    }

    private static Reply state(String state, List<Header> more) {
        var reply = new Reply(
                200,
                List.of(new Header("Content-Type", "application/json"), new Header("Cache-Control", "no-store")),
                Payload.of(("{\"state\":\"" + state + "\"}").getBytes(StandardCharsets.US_ASCII)));
        for (var header : more) {
            reply = reply.withHeader(header);
        }
        return reply;
    }

    private Reply unknown() {
        return problems.response(Problem.NOT_KNOWN, "It was never sent by you, or is no longer kept.");
    }
}
