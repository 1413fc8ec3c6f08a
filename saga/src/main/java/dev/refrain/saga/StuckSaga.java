package dev.refrain.saga;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.Retention;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.AttentionItem;
import java.time.Duration;

/**
 * A saga that could not be undone wholly, as it is listed for people.
 *
 * @param age for how long it has waited
 * @param outcomeKept how long its outcome is kept once it has one
 * @param result what failed, what is undone, and what is not
 */
public record StuckSaga(
        ScopedKey identity, ClaimRef claim, Duration age, Retention outcomeKept, SagaResult.Stuck result) {

    static StuckSaga of(AttentionItem item, Retention outcomeKept, SagaResult.Stuck result) {
        return new StuckSaga(item.identity(), item.claim(), item.age(), outcomeKept, result);
    }
}
