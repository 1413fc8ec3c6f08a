package dev.refrain.verify;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Request body with placeholders that are replaced for each new request: <code>{{uuid}}</code>, and <code>{{n}}</code>,
 * a counter.
 *
 * @param text the template
 */
public record BodyTemplate(String text) {

    private static final String UUID_PLACEHOLDER = "{{uuid}}";
    private static final String NUMBER_PLACEHOLDER = "{{n}}";

    /** Returns whether two bodies made from this template differ. */
    boolean hasPlaceholders() {
        return text.contains(UUID_PLACEHOLDER) || text.contains(NUMBER_PLACEHOLDER);
    }

    String fill(AtomicLong numbers) {
        return text.replace(UUID_PLACEHOLDER, UUID.randomUUID().toString())
                .replace(NUMBER_PLACEHOLDER, Long.toString(numbers.incrementAndGet()));
    }
}
