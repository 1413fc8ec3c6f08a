package dev.refrain.store;

import dev.refrain.api.RecordId;
import dev.refrain.api.RecoveryPoint;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Call to another system that may have been sent for a record.
 *
 * @param step names the call within its operation
 * @param derivedKey the key under which it was or would be sent: what to ask the other system for
 * @param announcedAt when it was announced, on the store's clock or later; empty where calls are not announced one by one (leased
 *     operations), and for records of older versions
 */
public record AnnouncedCall(String step, String derivedKey, Optional<Instant> announcedAt) {

    /**
     * Returns the call of a step of a record.
     *
     * @param announcedAt null where that is not known
     */
    public static AnnouncedCall of(RecordId id, String step, @Nullable Instant announcedAt) {
        return new AnnouncedCall(step, id.keyFor(step), Optional.ofNullable(announcedAt));
    }

    /**
     * Returns the calls of a flow, which announces each one: that of its recovery point, if it may have been sent.
     *
     * @param point last committed phase; null if there is none
     * @param announcedAt null where that is not known
     */
    public static List<AnnouncedCall> ofFlow(
            RecordId id, @Nullable RecoveryPoint point, @Nullable Instant announcedAt) {
        return point != null && point.callMayBeSent() ? List.of(of(id, point.name(), announcedAt)) : List.of();
    }

    /**
     * Returns the calls of a leased operation, which announces none: one for each step that it has asked keys for.
     *
     * @param known steps that are known of its operation
     */
    public static List<AnnouncedCall> ofSteps(RecordId id, Collection<String> known) {
        return ClaimOrigin.listedSteps(known).stream()
                .map(step -> of(id, step, null))
                .toList();
    }
}
