package dev.refrain.flow.saga;

import dev.refrain.key.Identity;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.ClaimRef;
import java.time.Duration;

/**
 * A saga that could not be undone wholly, as it is listed for people.
 *
 * @param age for how long it has waited
 * @param result what failed, what is undone, and what is not
 */
public record StuckSaga(Identity identity, ClaimRef claim, Duration age, SagaResult.Stuck result) {

    static StuckSaga of(AttentionItem item, SagaResult.Stuck result) {
        return new StuckSaga(item.identity(), item.claim(), item.age(), result);
    }
}
