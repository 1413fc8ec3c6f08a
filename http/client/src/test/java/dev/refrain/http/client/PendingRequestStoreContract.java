package dev.refrain.http.client;

import static dev.refrain.http.client.ManualClientClock.START;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** Contract of all stores of pending requests. */
abstract class PendingRequestStoreContract {

    abstract PendingRequestStore intents() throws IOException;

    static PendingRequest intent(String key, int seconds) {
        var request = ResendableRequest.postJson(URI.create("http://localhost/payments?a=b%20c"), "{\"a\":\"ä\"}")
                .with("X-Twice", "1")
                .with("X-Twice", "2");
        return new PendingRequest(key, request, START.plusSeconds(seconds), START.plusSeconds(seconds + 60));
    }

    @Test
    void releasedRequestIsPendingUnchanged() throws IOException {
        var intents = intents();
        intents.save(intent("b/\\\"..", 2)).orElseThrow().close();
        intents.save(intent("a", 1)).orElseThrow().close();

        assertThat(intents.pending()).containsExactly(intent("a", 1), intent("b/\\\"..", 2));
    }

    @Test
    void completedRequestIsGone() throws IOException {
        var intents = intents();
        try (var hold = intents.save(intent("a", 1)).orElseThrow()) {
            hold.complete();
        }

        assertThat(intents.pending()).isEmpty();
        assertThat(intents.acquire("a")).isEmpty();
        assertThat(intents.save(intent("a", 9)).orElseThrow().request()).isEqualTo(intent("a", 9));
    }

    @Test
    void onlyJustSavedRequestIsNew() throws IOException {
        var intents = intents();
        try (var hold = intents.save(intent("a", 1)).orElseThrow()) {
            assertThat(hold.isNew()).isTrue();
        }
        try (var hold = intents.save(intent("a", 1)).orElseThrow()) {
            assertThat(hold.isNew()).isFalse();
        }
        try (var hold = intents.acquire("a").orElseThrow()) {
            assertThat(hold.isNew()).isFalse();
        }
    }

    @Test
    void requestIsLockedByOneSender() throws IOException {
        var intents = intents();
        try (var hold = intents.save(intent("a", 1)).orElseThrow()) {
            assertThat(intents.save(intent("a", 2))).isEmpty();
            assertThat(intents.acquire("a")).isEmpty();
            assertThat(intents.pending()).isEmpty();
        }
        try (var hold = intents.acquire("a").orElseThrow()) {
            assertThat(hold.request()).isEqualTo(intent("a", 1));
            assertThat(intents.acquire("a")).isEmpty();
        }
    }

    @Test
    void pendingKeyKeepsTheTimeOfItsFirstAttempt() throws IOException {
        var intents = intents();
        intents.save(intent("a", 1)).orElseThrow().close();

        try (var again = intents.save(intent("a", 50)).orElseThrow()) {
            assertThat(again.request()).isEqualTo(intent("a", 1));
        }
    }

    @Test
    void oneOfManyConcurrentSendersGetsTheLock() throws Exception {
        var intents = intents();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < 20; round++) {
                var key = "key-" + round;
                Callable<Boolean> want = () -> intents.save(intent(key, 1)).isPresent();
                var got = new ArrayList<Boolean>();
                for (var one : threads.invokeAll(List.of(want, want, want, want))) {
                    got.add(one.get());
                }
                assertThat(got).containsOnlyOnce(true);
            }
        }
    }
}
