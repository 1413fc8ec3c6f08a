package dev.refrain.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class FairRequestQueueTest {

    private final FairRequestQueue<String> queue = new FairRequestQueue<>(request -> request.substring(0, 1));

    private List<String> drain() {
        var all = new ArrayList<String>();
        while (!queue.isEmpty()) {
            assertThat(queue.element()).isEqualTo(queue.element());
            all.add(queue.remove());
        }
        return all;
    }

    @Test
    void scopesTakeTurnsAndEachKeepsItsOrder() {
        List.of("a1", "a2", "a3", "b1", "c1", "b2").forEach(queue::add);

        assertThat(drain()).containsExactly("a1", "b1", "c1", "a2", "b2", "a3");
        assertThat(queue.size()).isZero();
    }

    @Test
    void requestsThatArePutBackComeFirst() {
        List.of("a1", "b1").forEach(queue::add);
        List.of("c2", "c1").forEach(queue::addFirst);

        assertThat(drain()).containsExactly("c1", "c2", "a1", "b1");
    }

    @Test
    void removedRequestsLeaveNoEmptyScope() {
        List.of("a1", "b1", "b2").forEach(queue::add);
        queue.addFirst("c1");

        assertThat(queue.removeAll(request -> request.endsWith("1"))).containsExactly("c1", "a1", "b1");
        assertThat(queue.size()).isEqualTo(1);
        assertThat(drain()).containsExactly("b2");
    }

    @Test
    void requestsAheadAreThoseOfOneTurnForEachOfItsOwn() {
        List.of("a1", "a2", "a3", "a4", "b1").forEach(queue::add);

        assertThat(queue.aheadOf("a")).as("all of them").isEqualTo(5);
        assertThat(queue.aheadOf("c")).as("a turn of a, b and its own").isEqualTo(3);
    }

    @Test
    void requestsAheadAreCountedBesideAThreadThatChangesTheQueue() throws Exception {
        var done = new AtomicBoolean();
        try (var threads = Executors.newSingleThreadExecutor()) {
            var counts = threads.submit(() -> {
                int most = 0;
                while (!done.get()) {
                    most = Math.max(most, queue.aheadOf("a"));
                }
                return most;
            });
            for (int round = 0; round < 20_000; round++) {
                List.of("a1", "a2", "b1", "c1").forEach(queue::add);
                queue.addFirst("d1");
                queue.removeAll(request -> request.startsWith("c"));
                drain();
            }
            done.set(true);
            assertThat(counts.get()).isBetween(0, 5);
        }
        assertThat(queue.aheadOf("a")).isZero();
    }
}
