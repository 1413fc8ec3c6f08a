package dev.refrain.store;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.ScopedKey;
import java.time.Duration;
import java.time.Instant;

/**
 * Record that needs attention.
 *
 * @param since start of attention by the store's clock; for people, and for paging
 * @param age the same as a duration by the store's clock
 * @param explanation the facts that a decision needs: origin, age, calls, attempts
 */
public record AttentionItem(
        ScopedKey identity,
        ClaimRef claim,
        String reason,
        Instant since,
        Duration age,
        RecordExplanation explanation) {}
