package dev.refrain.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import org.junit.jupiter.api.Test;

class QueuedRequestTest {

    private final QueuedRequest<String, String> request = new QueuedRequest<>("question", Long.MAX_VALUE);

    /** By that a batcher knows what lies in memory that nobody has looked at. */
    @Test
    void answerIsTakenWhenItsCallerGoesOn() {
        request.complete("answer");
        assertThat(request.isTaken()).isFalse();

        request.await();
        assertThat(request.isTaken()).isTrue();
    }

    @Test
    void failedRequestCountsAsTaken() {
        request.fail(StoreException.unavailable("away", Effect.NONE, null));

        assertThat(request.isTaken()).isTrue();
    }
}
