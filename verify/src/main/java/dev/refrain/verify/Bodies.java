package dev.refrain.verify;

import java.util.Optional;

/**
 * What is sent.
 *
 * @param intent an intent that the API takes
 * @param other another one, for the same key; derived from the first if it is not given
 * @param failing one that the API refuses with a 4xx after its work began, such as a card that is declined
 */
public record Bodies(Template intent, Optional<Template> other, Optional<Template> failing) {

    public static Bodies of(String intent) {
        return new Bodies(new Template(intent), Optional.empty(), Optional.empty());
    }

    public Bodies other(String text) {
        return new Bodies(intent, Optional.of(new Template(text)), failing);
    }

    public Bodies failing(String text) {
        return new Bodies(intent, other, Optional.of(new Template(text)));
    }
}
