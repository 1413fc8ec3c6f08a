package dev.refrain.store.redis;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.KeyHash;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Payload;
import dev.refrain.api.RecordId;
import dev.refrain.api.RecoveryPoint;
import dev.refrain.api.ScopedKey;
import dev.refrain.api.TraceId;
import dev.refrain.store.AnnouncedCall;
import dev.refrain.store.AttemptHistory;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.ClaimAttempt;
import dev.refrain.store.ClaimOrigin;
import dev.refrain.store.EscalationReason;
import dev.refrain.store.Fingerprint;
import dev.refrain.store.RecordExplanation;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordView;
import dev.refrain.store.StoredRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/** Record as a script returned it: the fields of its hash, the server's time, and what it has noted of its clock. */
final class RedisRecord {

    static final String FORMAT = "1";

    private static final int FIELDS_FROM = 5;
    private static final long SLACK_MICROS = 60_000_000L;

    private final KeyHash lookup;
    private final long now;
    private final long seen;
    private final long peak;
    private final long total;
    private final Map<String, byte[]> fields = new HashMap<>();

    RedisRecord(KeyHash lookup, ScriptReply reply) {
        this.lookup = lookup;
        now = reply.number(1);
        seen = reply.number(2);
        peak = reply.number(3);
        total = reply.number(4);
        for (int i = FIELDS_FROM; i + 1 < reply.parts().size(); i += 2) {
            fields.put(reply.text(i), reply.parts().get(i + 1));
        }
    }

    StoredRecord stored() {
        var state = state();
        long setBack = isSettled() ? 0 : setBackSince(claimed());
        return new StoredRecord(
                lookup,
                id(),
                fence(),
                UUID.fromString(required("owner")),
                state,
                required("pol").equals("H") ? LeaseExpiryPolicy.HOLD : LeaseExpiryPolicy.RESUME,
                fingerprint(),
                recoveryPoint(),
                RedisTimes.duration(micros("lease").orElseThrow() - now),
                micros("exp").map(expires -> RedisTimes.duration(expires - now - setBack)),
                payload("out"),
                payload("req"),
                payload("carried"));
    }

    /** Returns the kept request; only a record that is in use has one. */
    Optional<Payload> keptRequest() {
        return payload("kept");
    }

    boolean isExpired() {
        return isSettled() && micros("exp").filter(expires -> expires <= now).isPresent();
    }

    boolean isErased() {
        return !fields.containsKey("scope");
    }

    boolean isOfAnother(ScopedKey asked) {
        return !isErased() && !identity().equals(asked);
    }

    boolean needsAttention() {
        return state() == RecordState.ATTENTION;
    }

    ScopedKey identity() {
        return new ScopedKey(required("scope"), required("ns"), required("key"));
    }

    String operation() {
        return required("op");
    }

    ClaimRef claim() {
        return new ClaimRef(lookup, id(), fence());
    }

    AttentionItem attentionItem(Collection<String> steps) {
        long since = micros("since").orElseThrow();
        return new AttentionItem(
                identity(),
                claim(),
                reason(steps),
                RedisTimes.instant(since),
                RedisTimes.duration(now - since),
                explain(steps));
    }

    RecordExplanation explain(Collection<String> steps) {
        return new RecordExplanation(
                Optional.of(operation()).filter(name -> !name.isEmpty()),
                text("caller"),
                trace(),
                age(),
                recoveryPoint(),
                isFlow()
                        ? AnnouncedCall.ofFlow(
                                id(),
                                recoveryPoint().orElse(null),
                                micros("call").map(RedisTimes::instant).orElse(null))
                        : AnnouncedCall.ofSteps(id(), steps),
                history(steps).with(writtenAttempts()));
    }

    /** Returns the given reason of attention; without one the lease ended, which is worded by what the record shows. */
    String reason(Collection<String> steps) {
        return text("why")
                .orElseGet(
                        () -> new EscalationReason(isFlow(), recoveryPoint(), ClaimOrigin.listedSteps(steps), lastEnd())
                                .ofEndedLease());
    }

    private Optional<String> lastEnd() {
        return writtenAttempts().stream()
                .filter(attempt -> attempt.endReason().isPresent())
                .max(Comparator.comparingLong(ClaimAttempt::fence))
                .flatMap(ClaimAttempt::endReason);
    }

    private AttemptHistory history(Collection<String> steps) {
        return new AttemptHistory(
                fence(),
                state(),
                RedisTimes.instant(claimed()),
                trace(),
                micros("done").map(RedisTimes::instant),
                micros("lease").map(RedisTimes::instant),
                needsAttention()
                        ? Optional.of(new RecordView.AttentionReason(
                                reason(steps),
                                RedisTimes.instant(micros("since").orElseThrow())))
                        : Optional.empty(),
                RedisTimes.instant(now));
    }

    /** Attempts after the first are written down as they begin, and each as it ends; of the first, the record itself says when it began. */
    private List<ClaimAttempt> writtenAttempts() {
        var attempts = new TreeMap<Long, ClaimAttempt>();
        fields.forEach((name, value) -> {
            if (name.startsWith("b:")) {
                var parts = new String(value, StandardCharsets.UTF_8).split(" ", 3);
                attempts.put(
                        fenceOf(name),
                        new ClaimAttempt(
                                fenceOf(name),
                                Optional.of(parts[2]).filter(instance -> !instance.isEmpty()),
                                TraceId.parse(parts[1]),
                                Optional.of(RedisTimes.instant(Long.parseLong(parts[0]))),
                                Optional.empty(),
                                Optional.empty()));
            }
        });
        fields.forEach((name, value) -> {
            if (name.startsWith("e:")) {
                var parts = new String(value, StandardCharsets.UTF_8).split(" ", 2);
                var begun = attempts.getOrDefault(fenceOf(name), first(fenceOf(name)));
                attempts.put(begun.fence(), begun.endedAt(RedisTimes.instant(Long.parseLong(parts[0])), parts[1]));
            }
        });
        return List.copyOf(attempts.values());
    }

    private ClaimAttempt first(long fence) {
        return new ClaimAttempt(
                fence,
                Optional.empty(),
                trace(),
                fence == 1 ? Optional.of(RedisTimes.instant(claimed())) : Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private static long fenceOf(String name) {
        return Long.parseLong(name.substring(2));
    }

    private Duration age() {
        long unnoted = seen > now ? seen - now + SLACK_MICROS : 0;
        return RedisTimes.duration(now - claimed() + setBackSince(claimed()) + unnoted);
    }

    private long setBackSince(long moment) {
        return moment > peak ? 0 : total;
    }

    private boolean isFlow() {
        return fields.containsKey("flow") || fields.containsKey("point");
    }

    private boolean isSettled() {
        return state() == RecordState.COMPLETED || (state() == RecordState.RELEASED && !fields.containsKey("point"));
    }

    private RecordState state() {
        return switch (required("st")) {
            case "P" -> RecordState.IN_PROGRESS;
            case "C" -> RecordState.COMPLETED;
            case "R" -> RecordState.RELEASED;
            default -> RecordState.ATTENTION;
        };
    }

    private RecordId id() {
        return new RecordId(UUID.fromString(required("id")));
    }

    private long fence() {
        return Long.parseLong(required("fence"));
    }

    private long claimed() {
        return micros("claimed").orElseThrow();
    }

    private Optional<Fingerprint> fingerprint() {
        return text("rec").map(recipe -> new Fingerprint(recipe, bytes("dig").orElseThrow()));
    }

    private Optional<RecoveryPoint> recoveryPoint() {
        return text("point")
                .map(name -> fields.containsKey("call")
                        ? RecoveryPoint.withCallAnnounced(name)
                        : RecoveryPoint.reached(name));
    }

    private Optional<TraceId> trace() {
        return text("trace").flatMap(TraceId::parse);
    }

    private Optional<Payload> payload(String name) {
        return bytes(name).map(Payload::of);
    }

    private Optional<Long> micros(String name) {
        return text(name).map(Long::parseLong);
    }

    private String required(String name) {
        return text(name).orElse("");
    }

    private Optional<String> text(String name) {
        return bytes(name).map(value -> new String(value, StandardCharsets.UTF_8));
    }

    private Optional<byte[]> bytes(String name) {
        return Optional.ofNullable(fields.get(name));
    }
}
