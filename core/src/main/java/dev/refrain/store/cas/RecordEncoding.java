package dev.refrain.store.cas;

import dev.refrain.api.KeyHash;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.RecordId;
import dev.refrain.api.RecoveryPoint;
import dev.refrain.api.ScopedKey;
import dev.refrain.api.TraceId;
import dev.refrain.store.ClaimAttempt;
import dev.refrain.store.ClaimOrigin;
import dev.refrain.store.Fingerprint;
import dev.refrain.store.RecordState;
import dev.refrain.store.RowRejectedException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Format of stored records, version 1. The names of version, id, fence and revision stay in every later one, so that a late write to a
 * record that this version cannot read is refused like any other.
 */
final class RecordEncoding {

    static final long VERSION = 1;

    private static final String FORMAT = "v";
    private static final String ID = "id";
    private static final String FENCE = "fence";

    /** Separates the parts of an attempt, of which only the last, the reason, may contain it. */
    private static final String SEPARATOR = "\t";

    private static final int ATTEMPT_PARTS = 6;

    private RecordEncoding() {}

    /** Returns true if this version can read the record. */
    static boolean isReadable(Map<String, Object> values) {
        return new RecordFields(values).requiredNumber(FORMAT) <= VERSION;
    }

    static RowRejectedException newerFormat(Map<String, Object> values) {
        return RowRejectedException.badData(
                "A record was written by a later version of Refrain, in format version "
                        + new RecordFields(values).requiredNumber(FORMAT) + "; this one reads up to " + VERSION
                        + ". Finish the upgrade of all instances.",
                null);
    }

    /** Returns true if it is the record of this claim, in whatever format. */
    static boolean isOf(Map<String, Object> values, RecordId id, long fence) {
        var fields = new RecordFields(values);
        return fields.requiredText(ID).equals(id.toString()) && fields.requiredNumber(FENCE) == fence;
    }

    static Map<String, Object> write(MutableRecord record) {
        var fields = RecordFields.empty()
                .put(FORMAT, VERSION)
                .put(ID, record.id.toString())
                .put(FENCE, record.fence)
                .put("beat", record.beat)
                .put("owner", record.owner.toString())
                .put("state", record.state.name())
                .put("onLeaseExpiry", record.takeOver.name())
                .duration("lease", record.lease)
                .moment("claimedAt", record.claimedAt)
                .moment("expiresAt", record.expiresAt.orElse(null))
                .moment("completedAt", record.completedAt.orElse(null))
                .put("subject", record.subject.orElse(null))
                .mark("flow", record.flow)
                .payload("outcome", record.outcome)
                .payload("request", record.request)
                .payload("keptRequest", record.keptRequest)
                .payload("carried", record.carried);
        record.identity.ifPresent(identity -> fields.put("scope", identity.scope())
                .put("namespace", identity.namespace())
                .put("key", identity.key()));
        record.fingerprint.ifPresent(
                print -> fields.put("recipe", print.recipe()).put("digest", print.digest()));
        record.recoveryPoint.ifPresent(point -> fields.put("point", point.name())
                .mark("callMayBeSent", point.callMayBeSent())
                .moment("callAnnouncedAt", record.callAnnouncedAt.orElse(null)));
        if (record.state == RecordState.ATTENTION) {
            fields.put("reason", record.reason).moment("attentionSince", record.attentionSince);
        }
        fields.put("operation", record.origin.operation())
                .put("caller", record.origin.caller().orElse(null))
                .put("trace", record.origin.traceId().map(TraceId::toString).orElse(null));
        var attempts = record.attemptLog.written();
        if (!attempts.isEmpty()) {
            fields.put("attempts", attempts.stream().map(RecordEncoding::line).toList());
        }
        return fields.values();
    }

    /**
     * Reads a record.
     *
     * @param leaseUntil when its lease ends, by what the reader has seen of it
     */
    static MutableRecord read(KeyHash lookup, Map<String, Object> values, RecordClock clock, Instant leaseUntil) {
        if (!isReadable(values)) {
            throw newerFormat(values);
        }
        try {
            return readKnown(lookup, values, clock, leaseUntil);
        } catch (IllegalArgumentException | ClassCastException | NoSuchElementException e) {
            throw RowRejectedException.badData(
                    "A stored record cannot be read: it is damaged, or something else wrote it.", e);
        }
    }

    private static MutableRecord readKnown(
            KeyHash lookup, Map<String, Object> values, RecordClock clock, Instant leaseUntil) {
        var fields = new RecordFields(values);
        var record = new MutableRecord(
                lookup,
                new RecordId(fields.uuid(ID)),
                fields.uuid("owner"),
                LeaseExpiryPolicy.valueOf(fields.requiredText("onLeaseExpiry")),
                clock,
                fields.moment("claimedAt").orElse(Instant.EPOCH));
        record.fence = fields.requiredNumber(FENCE);
        record.beat = fields.requiredNumber("beat");
        record.state = RecordState.valueOf(fields.requiredText("state"));
        record.lease = fields.duration("lease");
        record.leaseUntil = leaseUntil;
        record.expiresAt = fields.moment("expiresAt");
        record.completedAt = fields.moment("completedAt");
        record.subject = fields.text("subject");
        record.flow = fields.has("flow");
        record.outcome = fields.payload("outcome");
        record.request = fields.payload("request");
        record.keptRequest = fields.payload("keptRequest");
        record.carried = fields.payload("carried");
        record.identity = fields.text("scope")
                .map(scope -> new ScopedKey(scope, fields.requiredText("namespace"), fields.requiredText("key")));
        record.fingerprint = fields.text("recipe")
                .map(recipe -> Fingerprint.stored(recipe, fields.bytes("digest").orElseThrow()));
        record.recoveryPoint = fields.text("point")
                .map(name -> fields.has("callMayBeSent")
                        ? RecoveryPoint.withCallAnnounced(name)
                        : RecoveryPoint.reached(name));
        record.callAnnouncedAt = fields.moment("callAnnouncedAt");
        record.reason = fields.text("reason").orElse("");
        record.attentionSince = fields.moment("attentionSince").orElse(Instant.EPOCH);
        record.origin = new ClaimOrigin(
                fields.requiredText("operation"),
                fields.text("caller"),
                fields.text("trace").flatMap(TraceId::parse),
                "",
                List.of());
        record.attemptLog = new RecordAttempts(
                fields.texts("attempts").stream().map(RecordEncoding::attempt).toList());
        return record;
    }

    /** Returns all payloads of a record. */
    static List<byte[]> payloads(Map<String, Object> values) {
        var fields = new RecordFields(values);
        return Stream.of("outcome", "request", "keptRequest", "carried")
                .flatMap(name -> fields.bytes(name).stream())
                .toList();
    }

    private static String line(ClaimAttempt attempt) {
        return String.join(
                SEPARATOR,
                Long.toString(attempt.fence()),
                attempt.instance().orElse(""),
                attempt.traceId().map(TraceId::toString).orElse(""),
                moment(attempt.began()),
                moment(attempt.ended()),
                attempt.endReason().orElse(""));
    }

    private static ClaimAttempt attempt(String line) {
        var parts = line.split(SEPARATOR, ATTEMPT_PARTS);
        return new ClaimAttempt(
                Long.parseLong(parts[0]),
                present(parts[1]),
                TraceId.parse(parts[2]),
                moment(parts[3]),
                moment(parts[4]),
                present(parts[5]));
    }

    private static String moment(Optional<Instant> moment) {
        return moment.map(m -> Long.toString(RecordFields.micros(m))).orElse("");
    }

    private static Optional<Instant> moment(String text) {
        return present(text).map(micros -> Instant.EPOCH.plus(Long.parseLong(micros), ChronoUnit.MICROS));
    }

    private static Optional<String> present(String text) {
        return Optional.of(text).filter(t -> !t.isEmpty());
    }
}
