package dev.refrain.store.outbox;

import java.util.List;
import java.util.UUID;

/** Decision of a person about dead letters, for the store and its audit trail. */
public record DeadLetterDecision(List<UUID> ids, Action action, String who, String why) {

    /** Choice between delivering dead letters after all and deleting them. */
    public enum Action {
        /** Delivers it as if it had just been staged, under the same key. */
        RESEND,
        /** Deletes it: it is never delivered. */
        DISCARD
    }

    public DeadLetterDecision {
        ids = List.copyOf(ids);
        if (who.isBlank() || why.isBlank()) {
            throw new IllegalArgumentException(
                    "Cannot decide about dead letters without a name and a reason: both go to the audit trail. Pass who and why.");
        }
    }
}
