package dev.refrain.verify;

import java.util.Optional;

/**
 * What is sent.
 *
 * @param intent an intent that the API takes
 * @param other another one, for the same key; derived from the first if it is not given
 * @param failing one that the API refuses with a 4xx after its work began, such as a card that is declined
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
