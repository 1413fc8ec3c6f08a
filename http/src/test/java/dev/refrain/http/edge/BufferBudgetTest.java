package dev.refrain.http.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.http.OperationMode;
import dev.refrain.http.RoutePolicy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BufferBudgetTest {

    private static final int KIB = 1 << 10;
    private static final int LARGE = 100 * KIB;

    private final BufferBudget budget = BufferBudget.of(1000 * KIB);

    private BufferReservation open(String peer, String scope) {
        var reservation = budget.open(peer);
        reservation.ownedBy(scope);
        return reservation;
    }

    /** Reserves with as many exchanges as get something, and returns how many those are. */
    private int flood(String peer, String scope, int length) {
        int admitted = 0;
        while (open(peer, scope).tryReserve(length)) {
            admitted++;
        }
        return admitted;
    }

    @Test
    void ownerAloneGetsHalf() {
        assertThat(flood("peer", "scope", LARGE)).isEqualTo(5);
        assertThat(budget.heldBytes()).isEqualTo(5L * LARGE);
    }

    @Test
    void floodOfOneScopeLeavesAnotherItsShare() {
        flood("one", "flood", LARGE);

        assertThat(flood("two", "honest", LARGE)).isEqualTo(2);
    }

    @Test
    void floodOfOneTenantLeavesTheOthersBehindItsLoadBalancerTheirShare() {
        flood("balancer", "flood", LARGE);

        assertThat(flood("balancer", "honest", LARGE)).isEqualTo(2);
    }

    @Test
    void inventedScopesLeaveAFifthToOtherAddresses() {
        for (int i = 0; i < 100; i++) {
            flood("peer", "invented " + i, LARGE);
        }

        assertThat(budget.heldBytes()).isEqualTo(8L * LARGE);
        assertThat(open("other", "other").tryReserve(LARGE)).isTrue();
    }

    @Test
    void severalAddressesDoNotRaiseTheShareOfAScope() {
        for (int i = 0; i < 100; i++) {
            flood("peer " + i, "scope", LARGE);
        }

        assertThat(budget.heldBytes()).isEqualTo(5L * LARGE);
    }

    @Test
    void smallBodiesPassBesideAFloodOfLargeOnesFromTheSameOwner() {
        flood("peer", "scope", LARGE);

        assertThat(flood("peer", "scope", 16 * KIB)).isEqualTo(18);
        assertThat(budget.heldBytes()).isLessThan(801 * KIB);
        assertThat(flood("other", "other", 16 * KIB)).isPositive();
    }

    @Test
    void bodyThatGrowsIsSmallOnlyAsLongAsItIs() {
        flood("peer", "scope", LARGE);
        var chunked = open("peer", "scope");

        assertThat(chunked.tryReserve(16 * KIB)).isTrue();
        assertThat(chunked.tryReserve(1)).isFalse();
    }

    @Test
    void bodyThatFitsPassesIfNothingElseIsHeld() {
        assertThat(open("peer", "scope").tryReserve(400 * KIB)).isTrue();
        assertThat(open("peer", "scope").tryReserve(400 * KIB)).isFalse();
    }

    @Test
    void everythingIsGivenBackWithTheLastClose() {
        var reservation = open("peer", "scope");
        reservation.tryReserve(LARGE);
        reservation.count(5000 * KIB);
        reservation.retain();

        reservation.close();
        assertThat(budget.heldBytes()).isGreaterThan(5000 * KIB);
        reservation.close();
        reservation.close();

        assertThat(budget.heldBytes()).isZero();
        assertThat(flood("peer", "scope", LARGE))
                .as("the owners hold nothing either")
                .isEqualTo(5);
    }

    @Test
    void nothingIsHeldForAnExchangeThatIsOver() {
        var reservation = open("peer", "scope");
        reservation.close();

        assertThat(reservation.tryReserve(LARGE)).isFalse();
        reservation.count(LARGE);

        assertThat(budget.heldBytes()).isZero();
    }

    /** A MiB less one byte has a header too, so that it fills two regions of a small heap. */
    @Test
    void largeArraysCountAsTheRegionsThatTheyFill() {
        assertThat(BufferBudget.heapBytes(500 * KIB)).isEqualTo(500L * KIB);
        assertThat(BufferBudget.heapBytes(600 * KIB)).isEqualTo(1024L * KIB);
        assertThat(BufferBudget.heapBytes((1 << 20) - 1)).isEqualTo(2048L * KIB);
    }

    @Test
    void waiterForMemoryGetsItWhenItIsReleased() {
        var first = open("peer", "scope");
        first.tryReserve(400 * KIB);
        var second = open("peer", "scope");

        var waiting = CompletableFuture.supplyAsync(
                () -> second.awaitReserve(400 * KIB, Duration.ofSeconds(20)), Thread::startVirtualThread);
        first.close();

        assertThat(waiting.orTimeout(1, TimeUnit.MINUTES).join()).isTrue();
    }

    @Test
    void waitingEndsWithThePatience() {
        open("peer", "scope").tryReserve(400 * KIB);

        assertThat(open("peer", "scope").awaitReserve(400 * KIB, Duration.ofMillis(10)))
                .isFalse();
    }

    @Test
    void waitingEndsWhenTheThreadIsInterrupted() {
        open("peer", "scope").tryReserve(400 * KIB);
        var second = open("peer", "scope");

        Thread.currentThread().interrupt();

        assertThat(second.awaitReserve(400 * KIB, Duration.ofSeconds(20))).isFalse();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void smallResponseIsCountedWhateverIsFree() {
        open("peer", "scope").count(2000 * KIB);

        assertThat(open("peer", "scope").awaitReserve(16 * KIB, Duration.ZERO)).isTrue();
        assertThat(open("peer", "scope").tryReserve(1)).as("a new request").isFalse();
    }

    @Test
    void routeWhoseLargestBodyDoesNotFitIsRefusedAtTheStart() {
        var policy = RoutePolicy.of(OperationMode.leased(LeaseExpiryPolicy.RESUME));

        assertThatThrownBy(() -> BufferBudget.of(1 << 20).requireRoom("POST /pay", policy))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("max-request-bytes of POST /pay")
                .hasMessageContaining("refrain.max-buffered-bytes");
        BufferBudget.of(4 << 20).requireRoom("POST /pay", policy);
        assertThatThrownBy(() -> BufferBudget.of(0)).hasMessageContaining("refrain.max-buffered-bytes");
    }
}
