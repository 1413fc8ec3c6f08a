package dev.refrain.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The queue for connections to the upstream, by a clock that stands still until it is moved. */
class UpstreamConnectionQueueTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final AtomicLong clock = new AtomicLong();
    private final List<UpstreamConnectionQueue.Turn> flood = new ArrayList<>();

    /** Returns the turn of a call that has its connection. */
    static UpstreamConnectionQueue.Turn free() {
        try {
            return new UpstreamConnectionQueue(1, 1, System::nanoTime).join("tenant", PATIENCE);
        } catch (UpstreamBusyException never) {
            throw new AssertionError(never);
        }
    }

    private UpstreamConnectionQueue queue(int maxWaiting) {
        return new UpstreamConnectionQueue(1, maxWaiting, clock::get);
    }

    private void flood(UpstreamConnectionQueue queue, int requests) throws Exception {
        for (int i = 0; i < requests; i++) {
            flood.add(queue.join("flood", PATIENCE));
        }
    }

    /** Ends the first of the flood that has a connection. */
    private void serveNext() {
        clock.addAndGet(Duration.ofSeconds(1).toNanos());
        flood.removeFirst().close();
    }

    private static boolean isServed(UpstreamConnectionQueue.Turn turn) throws InterruptedException {
        try {
            turn.await(Duration.ZERO);
            return true;
        } catch (UpstreamBusyException waits) {
            return false;
        }
    }

    @Test
    void scopesAreServedInTurn() throws Exception {
        var queue = queue(100);
        flood(queue, 10);
        var other = queue.join("another tenant", PATIENCE);
        assertThat(isServed(flood.getFirst())).isTrue();

        serveNext();
        assertThat(isServed(flood.getFirst())).isTrue();
        assertThat(isServed(other)).isFalse();
        serveNext();

        assertThat(isServed(other)).isTrue();
        assertThat(isServed(flood.getFirst())).isFalse();
    }

    @Test
    void floodThatFillsTheQueueRefusesItsOwnRequestsOnly() throws Exception {
        var queue = queue(20);
        flood(queue, 21);

        assertThatThrownBy(() -> queue.join("flood", PATIENCE)).isInstanceOf(UpstreamBusyException.class);
        assertThat(queue.join("another tenant", PATIENCE)).isNotNull();
    }

    @Test
    void requestThatWouldNotBeServedInTimeIsRefusedAtOnce() throws Exception {
        var queue = queue(10_000);
        flood(queue, 100);
        for (int i = 0; i < 20; i++) {
            serveNext();
        }

        // 79 are ahead, and one is served in a second: more than half of 30 seconds, less than half of 200.
        assertThatThrownBy(() -> queue.join("flood", PATIENCE)).isInstanceOf(UpstreamBusyException.class);
        assertThat(queue.join("flood", Duration.ofSeconds(200))).isNotNull();
        assertThat(queue.join("another tenant", PATIENCE)).isNotNull();
    }

    /** Without an answer there is no pace but the time since the last one. */
    @Test
    void serviceThatAnswersNobodyIsNotQueuedForBeyondTheFirst() throws Exception {
        var queue = queue(10_000);
        flood(queue, 66);
        clock.addAndGet(Duration.ofSeconds(1).toNanos());

        assertThatThrownBy(() -> queue.join("flood", PATIENCE)).isInstanceOf(UpstreamBusyException.class);
        assertThat(queue.join("another tenant", PATIENCE)).isNotNull();
    }

    @Test
    void turnThatIsGivenUpLetsTheNextOneBeServed() throws Exception {
        var queue = queue(100);
        flood(queue, 1);
        var gone = queue.join("flood", PATIENCE);
        var next = queue.join("flood", PATIENCE);
        gone.close();
        gone.close();

        serveNext();

        assertThat(isServed(gone)).isFalse();
        assertThat(isServed(next)).isTrue();
        next.close();
        next.close();
        assertThat(isServed(queue.join("flood", PATIENCE))).isTrue();
        assertThat(isServed(queue.join("flood", PATIENCE))).isFalse();
    }
}
