package dev.refrain.spring.actuator;

import dev.refrain.RecordAdmin;
import dev.refrain.api.ClaimRef;
import dev.refrain.api.KeyHash;
import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import dev.refrain.api.RecordId;
import dev.refrain.http.KeptRequest;
import dev.refrain.spring.OperationStore;
import dev.refrain.spring.RefrainStartException;
import dev.refrain.spring.RefrainStores;
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
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * Actuator endpoint that shows unfinished keys and resolves those that need attention. Resolving requires an authenticated
 * actuator user, whom the audit trail records. Thread-safe.
 *
 * <p>Optional parameters carry Spring's own annotation too: by that alone Spring Boot 3.5 knows them where JSR 305 is not on the class path.
 */
@Endpoint(id = "refrain")
public final class RefrainActuatorEndpoint {

    private static final int LISTED = 100;

    private final RefrainStores stores;

    RefrainActuatorEndpoint(RefrainStores stores) {
        this.stores = stores;
    }

    /** Returns the actions for one store; without a name for the default one. */
    private RecordAdmin admin(@Nullable String store) {
        String name = Optional.ofNullable(store)
                .filter(some -> !some.equals(OperationStore.DEFAULT))
                .orElse("");
        try {
            return stores.require(name, "The request").refrain().admin();
        } catch (RefrainStartException unknown) {
            throw new InvalidEndpointRequestException(unknown.description(), unknown.description());
        }
    }

    /**
     * Response of the endpoint.
     *
     * @param counts null if the store cannot count
     * @param audit empty if the store cannot list it
     */
    public record Overview(@Nullable Counts counts, List<AttentionEntry> attention, List<AuditEntry> audit) {}

    /**
     * Counts of unfinished keys.
     *
     * @param oldestInProgress age since its first claim; null if nothing is in progress
     * @param orMore whether the store stopped counting at a limit, so that every number is a lower bound
     */
    public record Counts(
            long inProgress,
            long leaseOver,
            long attention,
            @Nullable Duration oldestInProgress,
            boolean orMore) {}

    /**
     * Record that needs attention; name it by lookup, id and fence to resolve it.
     *
     * @param scope of its key
     * @param namespace of its key
     * @param explanation its origin, age, calls and attempts
     */
    public record AttentionEntry(
            UUID lookup,
            UUID id,
            long fence,
            String scope,
            String namespace,
            String key,
            String reason,
            Instant since,
            Duration age,
            ExplanationEntry explanation) {}

    /** Result of resolving a record. */
    public record ResolutionResult(boolean done, String detail) {}

    /**
     * Shows the unfinished keys of a store.
     *
     * @param store its name, as in {@code refrain.stores}; null for the default store
     */
    @ReadOperation
    @SuppressWarnings("deprecation")
    public Overview overview(@org.springframework.lang.Nullable @Nullable String store) {
        var operators = admin(store);
        var able = operators.abilities();
        return new Overview(
                able.contains(StoreAbility.COUNTS) ? counted(operators.unsettledCounts()) : null,
                operators.listAttention(LISTED).stream()
                        .map(RefrainActuatorEndpoint::shown)
                        .toList(),
                able.contains(StoreAbility.AUDIT_TRAIL) ? operators.listAuditTrail(LISTED) : List.of());
    }

    /**
     * Result of revealing a kept request.
     *
     * @param detail why there is none
     */
    public record RevealResult(
            @Nullable KeptRequestEntry request, @Nullable String detail) {}

    /**
     * Reveals the request that a record in ATTENTION kept for people. Requires an authenticated actuator user, whom the audit trail
     * records, and a store that can browse records: others have no audit of what is revealed.
     *
     * @param id the record's id, as listed
     * @param why the reason for the audit trail; required
     * @param store name of the record's store; null for the default store
     */
    @ReadOperation
    @SuppressWarnings("deprecation")
    public WebEndpointResponse<RevealResult> reveal(
            @Selector String id,
            @org.springframework.lang.Nullable @Nullable String why,
            @org.springframework.lang.Nullable @Nullable String store,
            SecurityContext security) {
        var principal = security.getPrincipal();
        if (principal == null) {
            return new WebEndpointResponse<>(new RevealResult(
                    null,
                    "No authenticated user: the audit trail records who reveals a request. Secure the actuator."));
        }
        try {
            var record = EndpointParameters.uuid("id", id);
            return new WebEndpointResponse<>(
                    revealed(record, principal.getName(), EndpointParameters.reason(why), store));
        } catch (InvalidEndpointRequestException rejected) {
            return new WebEndpointResponse<>(
                    new RevealResult(null, rejected.getReason() + " Example: GET …/refrain/{id}?why=ticket+7"),
                    WebEndpointResponse.STATUS_BAD_REQUEST);
        }
    }

    private RevealResult revealed(UUID id, String who, String why, @Nullable String store) {
        var operators = admin(store);
        if (!operators.abilities().contains(StoreAbility.BROWSING)) {
            return new RevealResult(
                    null,
                    "The store lacks the ability \"" + StoreAbility.BROWSING.label()
                            + "\", so that revealing a request could not be audited.");
        }
        var page = operators.listAttention(LISTED);
        while (!page.isEmpty()) {
            for (var item : page) {
                if (item.claim().id().value().equals(id)) {
                    return revealed(operators.revealKeptRequest(item, who, why));
                }
            }
            page = operators.listAttention(page.getLast(), LISTED);
        }
        return new RevealResult(null, "No record with this id needs attention.");
    }

    private static RevealResult revealed(Optional<Payload> kept) {
        if (kept.isEmpty()) {
            return new RevealResult(null, "No request is kept for this record: see keep-request.");
        }
        return KeptRequest.decode(kept.get())
                .map(request -> new RevealResult(KeptRequestEntry.of(request), null))
                .orElseGet(() -> new RevealResult(null, "The kept request was written by a newer version."));
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
                claim.lookup().asUuid(),
                claim.id().value(),
                claim.fence(),
                item.identity().scope(),
                item.identity().namespace(),
                item.identity().key(),
                item.reason(),
                item.since(),
                item.age(),
                ExplanationEntry.of(item.explanation()));
    }

    /**
     * Resolves a record that needs attention. Every parameter is optional for Spring, whose own answer to a missing one would not name it.
     *
     * @param lookup of the entry, as listed; required, as are its {@code id} and {@code fence}
     * @param verdict {@code done} if the work took effect, {@code run-again} if it did not, {@code failed} if it must not run again; required
     * @param why the reason for the audit trail; required
     * @param status status replayed to retries if the verdict is done; 200 by default
     * @param body body replayed to retries if the verdict is done, as one string; empty by default
     * @param contentType its Content-Type, for example {@code application/json}; none by default
     * @param store name of the record's store; null for the default store
     */
    @WriteOperation
    @SuppressWarnings("deprecation")
    public WebEndpointResponse<ResolutionResult> resolve(
            @org.springframework.lang.Nullable @Nullable String lookup,
            @org.springframework.lang.Nullable @Nullable String id,
            @org.springframework.lang.Nullable @Nullable String fence,
            @org.springframework.lang.Nullable @Nullable String verdict,
            @org.springframework.lang.Nullable @Nullable String why,
            @org.springframework.lang.Nullable @Nullable String status,
            @org.springframework.lang.Nullable @Nullable String body,
            @org.springframework.lang.Nullable @Nullable String contentType,
            @org.springframework.lang.Nullable @Nullable String store,
            SecurityContext security) {
        var principal = security.getPrincipal();
        if (principal == null) {
            return new WebEndpointResponse<>(new ResolutionResult(
                    false, "No authenticated user: the audit trail records who resolves a key. Secure the actuator."));
        }
        try {
            String decided = EndpointParameters.verdict(verdict);
            var claim = new ClaimRef(
                    KeyHash.of(EndpointParameters.uuid("lookup", lookup)),
                    new RecordId(EndpointParameters.uuid("id", id)),
                    EndpointParameters.number("fence", fence));
            String reason = EndpointParameters.reason(why);
            var answer = EndpointParameters.answer(status, body, contentType);
            boolean done = decide(admin(store), decided, claim, answer, principal.getName(), reason);
            return new WebEndpointResponse<>(new ResolutionResult(
                    done, done ? "Resolved." : "The record has changed since it was listed. List it again."));
        } catch (InvalidEndpointRequestException rejected) {
            return new WebEndpointResponse<>(
                    new ResolutionResult(false, rejected.getReason() + EndpointParameters.EXAMPLE),
                    WebEndpointResponse.STATUS_BAD_REQUEST);
        }
    }

    private static boolean decide(
            RecordAdmin admin, String verdict, ClaimRef claim, Outcome.Answer answer, String who, String why) {
        return switch (verdict) {
            case EndpointParameters.DONE -> admin.resolve(claim, answer, who, why);
            case EndpointParameters.RUN_AGAIN -> admin.release(claim, who, why);
            default -> admin.resolveAsFailed(claim, who, why);
        };
    }
}
