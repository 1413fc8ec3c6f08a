package dev.refrain.store.outbox;

import java.util.List;
import java.util.UUID;

/** What is to be done with dead letters, by whom and why. */
public record DeadLetterDecision(List<UUID> ids, Verdict verdict, String who, String why) {

    /** What a person found out. */
    public enum Verdict {
        /** To be delivered as if it had just been staged, under the same key. */
        SEND_AGAIN,
        /** Never to be delivered. */
        DISMISS
    }

    public DeadLetterDecision {
        ids = List.copyOf(ids);
        if (who.isBlank() || why.isBlank()) {
            throw new IllegalArgumentException("What becomes of a dead letter is audited: say who decides and why.");
        }
    }
}
