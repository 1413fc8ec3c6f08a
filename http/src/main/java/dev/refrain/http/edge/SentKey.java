package dev.refrain.http.edge;

import dev.refrain.api.RefrainException;

/** The key of a request as it was sent, parsed once. */
sealed interface SentKey {

    record UsableKey(String key) implements SentKey {}

    record UnusableKey(RefrainException why) implements SentKey {}

    record MissingKey() implements SentKey {}
}
