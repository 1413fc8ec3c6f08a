package dev.refrain.verify;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A body with places that are filled anew for each intent: <code>{{uuid}}</code>, and <code>{{n}}</code>, a number that grows.
 *
 * @param text as it was given
 */
public record BodyTemplate(String text) {

    private static final String UUID_PLACE = "{{uuid}}";
    private static final String NUMBER_PLACE = "{{n}}";

    /** Whether two intents made of it differ. */
    boolean hasPlaceholders() {
        return text.contains(UUID_PLACE) || text.contains(NUMBER_PLACE);
    }

    String fill(AtomicLong numbers) {
        return text.replace(UUID_PLACE, UUID.randomUUID().toString())
                .replace(NUMBER_PLACE, Long.toString(numbers.incrementAndGet()));
    }
}
