package dev.refrain.http.edge;

import dev.refrain.api.RefrainException;

/** The key of a request as sent, parsed once: usable, unusable or missing. */
sealed interface SentKey {

    record UsableKey(String key) implements SentKey {}

    record UnusableKey(RefrainException why) implements SentKey {}

    record MissingKey() implements SentKey {}
}
