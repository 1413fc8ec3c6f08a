package dev.refrain.store.outbox;

import dev.refrain.api.Payload;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Message to be staged. Immutable.
 *
 * @param id created by the sender; the key of its deliveries is derived from it
 * @param orderKey messages of one topic with the same order key are delivered in the order of staging; empty for no order
 * @param labels what it is found by later
 */
public record StagedMessage(UUID id, String topic, Optional<String> orderKey, Payload payload, MessageLabels labels) {

    /**
     * Creates a message without labels.
     *
     * @param orderKey null for no order
     */
    public StagedMessage(UUID id, String topic, @Nullable String orderKey, Payload payload) {
        this(id, topic, Optional.ofNullable(orderKey), payload, MessageLabels.NONE);
    }

    /**
     * Number of lanes of a topic; messages of one lane are delivered in order. Stored with each row, so it must never change.
     */
    public static final int LANES = 64;

    /**
     * Returns the lane in which it is delivered, computed from its order key; empty for no order. The same on every store and in
     * every version.
     */
    public OptionalInt lane() {
        return orderKey.map(key ->
                        OptionalInt.of(Math.floorMod(Arrays.hashCode(key.getBytes(StandardCharsets.UTF_8)), LANES)))
                .orElse(OptionalInt.empty());
    }
}
