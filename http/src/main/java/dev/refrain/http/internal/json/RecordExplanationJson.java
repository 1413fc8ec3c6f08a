package dev.refrain.http.internal.json;

import dev.refrain.store.ClaimAttempt;
import dev.refrain.store.RecordExplanation;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Members of the JSON form of an explanation, with the same names wherever one is shown. Absent values are omitted. */
public final class RecordExplanationJson {

    private RecordExplanationJson() {}

    /** Returns everything, for operators. */
    public static Map<String, Object> forOperator(RecordExplanation explanation) {
        var json = forCaller(explanation);
        explanation.caller().ifPresent(caller -> json.put("caller", caller));
        explanation.traceId().ifPresent(id -> json.put("traceId", id.toString()));
        explanation.recoveryPoint().ifPresent(point -> json.put("recoveryPoint", point.name()));
        json.put(
                "calls",
                explanation.calls().stream()
                        .map(call -> {
                            var one = new LinkedHashMap<String, Object>();
                            one.put("step", call.step());
                            one.put("derivedKey", call.derivedKey());
                            put(one, "announcedAt", call.announcedAt());
                            return one;
                        })
                        .toList());
        json.put(
                "attempts",
                explanation.attempts().stream()
                        .map(RecordExplanationJson::forOperator)
                        .toList());
        return json;
    }

    private static Map<String, Object> forOperator(ClaimAttempt attempt) {
        var json = new LinkedHashMap<String, Object>();
        json.put("fence", attempt.fence());
        attempt.instance().ifPresent(name -> json.put("instance", name));
        attempt.traceId().ifPresent(id -> json.put("traceId", id.toString()));
        json.putAll(times(attempt));
        attempt.endReason().ifPresent(why -> json.put("endReason", why));
        return json;
    }

    /**
     * Returns what the sender of a request may know: its operation, its age and when it was attempted. Names of instances, derived keys
     * and reasons tell about the inside of the service, and are left out.
     */
    public static Map<String, Object> forCaller(RecordExplanation explanation) {
        var json = new LinkedHashMap<String, Object>();
        explanation.operation().ifPresent(operation -> json.put("operation", operation));
        json.put("ageSeconds", explanation.age().toSeconds());
        json.put(
                "attempts",
                explanation.attempts().stream()
                        .map(RecordExplanationJson::times)
                        .toList());
        return json;
    }

    private static Map<String, Object> times(ClaimAttempt attempt) {
        var json = new LinkedHashMap<String, Object>();
        put(json, "began", attempt.began());
        put(json, "ended", attempt.ended());
        return json;
    }

    private static void put(Map<String, Object> json, String name, Optional<Instant> moment) {
        moment.ifPresent(at -> json.put(name, at.toString()));
    }
}
