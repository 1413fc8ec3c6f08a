package dev.refrain.verify;

import java.util.Optional;

/**
 * Request bodies to send. Immutable.
 *
 * @param intent a body that the API accepts
 * @param other a different body for the same key; derived from the first one if empty
 * @param failing a body that the API rejects with a 4xx while processing it, for example a declined card
 */
public record SampleBodies(BodyTemplate intent, Optional<BodyTemplate> other, Optional<BodyTemplate> failing) {

    public static SampleBodies of(String intent) {
        return new SampleBodies(new BodyTemplate(intent), Optional.empty(), Optional.empty());
    }

    public SampleBodies other(String text) {
        return new SampleBodies(intent, Optional.of(new BodyTemplate(text)), failing);
    }

    public SampleBodies failing(String text) {
        return new SampleBodies(intent, other, Optional.of(new BodyTemplate(text)));
    }
}
