package dev.refrain.saga;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.Retention;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.AttentionItem;
import java.time.Duration;

/**
 * Saga with failed compensations, which a person retries or abandons.
 *
 * @param age how long it has waited
 * @param outcomeRetention how long its outcome is kept once it has one
 * @param result the failure, and the state of the compensations
 */
public record StuckSaga(
        ScopedKey identity, ClaimRef claim, Duration age, Retention outcomeRetention, SagaResult.Stuck result) {

    static StuckSaga of(AttentionItem item, Retention outcomeRetention, SagaResult.Stuck result) {
        return new StuckSaga(item.identity(), item.claim(), item.age(), outcomeRetention, result);
    }
}
