package dev.refrain.store;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.ScopedKey;
import java.time.Duration;
import java.time.Instant;

/**
 * One record that waits for a decision.
 *
 * @param since on the store's clock; for people, and to page by
 * @param age the same as a duration on the store's clock
 */
public record AttentionItem(ScopedKey identity, ClaimRef claim, String reason, Instant since, Duration age) {}
