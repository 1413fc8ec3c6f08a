package dev.refrain.spring.actuator;

import dev.refrain.Refrain;
import dev.refrain.api.ClaimRef;
import dev.refrain.api.KeyHash;
import dev.refrain.api.Outcome;
import dev.refrain.api.RecordId;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.StoreAbility;
import dev.refrain.store.UnsettledCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * What is not settled, what of it waits for a decision, and the decision. Who decides is the authenticated user of the actuator; without one nothing is
 * changed. Everything is written into the audit trail.
 */
@Endpoint(id = "refrain")
public final class RefrainActuatorEndpoint {

    private static final int LISTED = 100;
    private static final int OK = 200;

    private final Refrain refrain;

    RefrainActuatorEndpoint(Refrain refrain) {
        this.refrain = refrain;
    }

    /**
     * What the endpoint shows.
     *
     * @param counts null where the store cannot count
     * @param audit empty where the store cannot list it
     */
    public record Overview(@Nullable Counts counts, List<AttentionEntry> attention, List<AuditEntry> audit) {}

    /**
     * What is not settled.
     *
     * @param oldestInProgress since its first claim; null if nothing is in progress
     * @param orMore whether there may be more than was looked at: every number is then the least that it can be
     */
    public record Counts(
            long inProgress,
            long leaseOver,
            long attention,
            @Nullable Duration oldestInProgress,
            boolean orMore) {}

    /** One record that waits for a decision; name it by these three to decide. */
    public record AttentionEntry(UUID lookup, UUID id, long fence, String reason, Instant since, Duration age) {}

    /** What became of a decision. */
    public record ResolutionResult(boolean done, String detail) {}

    @ReadOperation
    public Overview overview() {
        var operators = refrain.admin();
        var able = operators.abilities();
        return new Overview(
                able.contains(StoreAbility.COUNTS) ? counted(operators.unsettledCounts()) : null,
                operators.listAttention(LISTED).stream()
                        .map(RefrainActuatorEndpoint::shown)
                        .toList(),
                able.contains(StoreAbility.AUDIT_TRAIL) ? operators.listAuditTrail(LISTED) : List.of());
    }

    private static Counts counted(UnsettledCounts census) {
        return new Counts(
                census.inProgress(),
                census.leaseOver(),
                census.attention(),
                census.oldest().orElse(null),
                census.more());
    }

    private static AttentionEntry shown(AttentionItem item) {
        var claim = item.claim();
        return new AttentionEntry(
                claim.lookup().asUuid(), claim.id().value(), claim.fence(), item.reason(), item.since(), item.age());
    }

    /**
     * @param verdict {@code done} if it took effect, {@code run-again} if it did not
     * @param status what a retry is answered if it is done; 200 if it is left out
     * @param body the same for the body
     */
    @WriteOperation
    public ResolutionResult resolve(
            UUID lookup,
            UUID id,
            long fence,
            String verdict,
            String why,
            @Nullable Integer status,
            @Nullable String body,
            SecurityContext security) {
        var principal = security.getPrincipal();
        if (principal == null) {
            return new ResolutionResult(
                    false, "Nobody is authenticated: who decides is written down. Secure the actuator.");
        }
        var claim = new ClaimRef(KeyHash.of(lookup), new RecordId(id), fence);
        boolean done = switch (verdict) {
            case "done" ->
                refrain.admin()
                        .resolve(
                                claim,
                                Outcome.Answer.of(
                                        Optional.ofNullable(status).orElse(OK),
                                        Optional.ofNullable(body)
                                                .orElse("")
                                                .getBytes(java.nio.charset.StandardCharsets.UTF_8)),
                                principal.getName(),
                                why);
            case "run-again" -> refrain.admin().release(claim, principal.getName(), why);
            default ->
                throw new IllegalArgumentException("verdict is '" + verdict + "', but may be done or run-again.");
        };
        return new ResolutionResult(
                done, done ? "Written down." : "It has moved on since it was looked at; look again.");
    }
}
