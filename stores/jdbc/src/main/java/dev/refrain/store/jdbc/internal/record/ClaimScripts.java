package dev.refrain.store.jdbc.internal.record;

import dev.refrain.store.ClaimRequest;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;

/** Statements of a claim, and where their parameters come from. */
public final class ClaimScripts {

    private ClaimScripts() {}

    /** Request with the id of its operation's name. */
    record NamedClaim(ClaimRequest request, OptionalLong operation) {

        static List<NamedClaim> all(List<ClaimRequest> requests, OperationNames names) {
            return requests.stream().map(r -> new NamedClaim(r, names.idOf(r))).toList();
        }
    }

    /** A request and the record it found. */
    record ClaimCandidate(ClaimRequest request, StoredRecord record, OptionalLong operation) {}

    /** Claim whose operation has no known name. */
    public static final ParameterizedScript<ClaimRequest> CLAIM = ParameterizedScript.<ClaimRequest>script("claim")
            .uuid("lookup", r -> r.lookup().asUuid())
            .uuid("nonce", ClaimRequest::nonce)
            .duration("lease", ClaimRequest::lease)
            .flag("hold", r -> ColumnCodes.holds(r.leaseExpiryPolicy()))
            .number("retention", r -> ColumnCodes.of(r.retention()))
            .text("recipe", r -> r.fingerprint().recipe())
            .bytes("fingerprint", r -> r.fingerprint().digest())
            .text("scope", r -> r.identity().scope())
            .text("namespace", r -> r.identity().namespace())
            .text("key", r -> r.identity().key())
            .text("subject", r -> r.subject().orElse(null))
            .bytes("request", r -> ColumnCodes.bytes(r.request()))
            .bytes("kept_request", r -> ColumnCodes.bytes(r.keptRequest()))
            .flag("has_request", r -> r.request().isPresent())
            .flag("has_kept_request", r -> r.keptRequest().isPresent())
            .optionalNumber("operation", r -> OptionalLong.empty())
            .text("caller", r -> r.origin().caller().orElse(null))
            .uuid(
                    "trace_id",
                    r -> r.origin()
                            .traceId()
                            .map(t -> new UUID(t.high(), t.low()))
                            .orElse(null))
            .text(
                    "instance",
                    r -> r.origin().instance().isEmpty() ? null : r.origin().instance());

    static final ParameterizedScript<NamedClaim> NAMED_CLAIM = ParameterizedScript.<NamedClaim>script("claim")
            .include(CLAIM, NamedClaim::request)
            .optionalNumber("operation", NamedClaim::operation);

    static final ParameterizedScript<NamedClaim> CLAIM_NEW =
            ParameterizedScript.<NamedClaim>script("claim_new").include(NAMED_CLAIM, c -> c);

    public static final ParameterizedScript<ClaimRequest> FIND =
            ParameterizedScript.<ClaimRequest>script("find").include(CLAIM, r -> r);

    /** Locks the records that nobody has locked, until the transaction ends. */
    static final ParameterizedScript<ClaimCandidate> UNLOCKED =
            ParameterizedScript.<ClaimCandidate>script("lock_free").include(CLAIM, ClaimCandidate::request);

    static final Map<ClaimDecision, ParameterizedScript<ClaimCandidate>> CHANGES = new EnumMap<>(Map.of(
            ClaimDecision.REPLACE,
            onSight("replace"),
            ClaimDecision.TAKE,
            onSight("take"),
            ClaimDecision.HOLD,
            onSight("hold")));

    private static ParameterizedScript<ClaimCandidate> onSight(String script) {
        return ParameterizedScript.<ClaimCandidate>script(script)
                .include(CLAIM, ClaimCandidate::request)
                .optionalNumber("operation", ClaimCandidate::operation)
                .duration("lease_left", s -> s.record().remainingLease())
                .uuid("id", s -> s.record().id().value())
                .number("fence", s -> s.record().fence())
                .number("state", s -> ColumnCodes.of(s.record().state()))
                .flag("erased", s -> s.record().fingerprint().isEmpty());
    }
}
