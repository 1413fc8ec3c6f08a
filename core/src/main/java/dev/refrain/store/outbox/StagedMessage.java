package dev.refrain.store.outbox;

import dev.refrain.api.Payload;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

/**
 * A message to be written.
 *
 * @param id minted by whoever stages it; the key of its deliveries is made of it
 * @param orderKey messages of one topic with the same one are delivered in the order of staging; empty for no order
 */
public record StagedMessage(UUID id, String topic, Optional<String> orderKey, Payload payload) {

    /** So many lanes has a topic; messages of one lane wait for each other. Stored with each row, so never to be changed. */
    public static final int LANES = 64;

    /** The lane it is delivered in; empty if it waits for nobody. The same on every store and for ever. */
    public OptionalInt lane() {
        return orderKey.map(key ->
                        OptionalInt.of(Math.floorMod(Arrays.hashCode(key.getBytes(StandardCharsets.UTF_8)), LANES)))
                .orElse(OptionalInt.empty());
    }
}
