package dev.refrain.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.ExecutionEnvironment;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a relay polls, by a clock that is moved by hand. */
class PollScheduleTest {

    private static final Duration INTERVAL = Duration.ofHours(1);
    private static final Duration LONGEST_INTERVAL = INTERVAL.multipliedBy(2);

    private final ManualClock clock = new ManualClock();
    private final PollSchedule schedule = new PollSchedule(INTERVAL, clock);

    @BeforeEach
    void fallAsleep() {
        assertThat(isDue()).isTrue();
        poll(0, 0);
    }

    @Test
    void commitIsPolledForAtOnce() {
        clock.pass(Duration.ofSeconds(1));
        assertThat(isDue()).isFalse();
        schedule.committed();
        assertThat(isDue()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 30, 5_000})
    void stagedMessageIsFoundNoLaterAfterItsCommitThanItsTransactionTook(int millis) {
        long took = Duration.ofMillis(millis).toNanos();
        schedule.staged();
        long staged = clock.now;
        int polls = 0;
        do {
            clock.now = schedule.next();
            poll(polls == 0 ? 1 : 0, 0);
            polls++;
        } while (clock.now - staged < took);

        assertThat(clock.now - staged).isLessThanOrEqualTo(2 * took);
        assertThat(polls).isLessThan(20);
    }

    @Test
    void transactionThatIsNeverCommittedIsForgotten() {
        schedule.staged();
        long polls = 0;
        int fresh = 1;
        for (long begun = clock.now; clock.now - begun < LONGEST_INTERVAL.toNanos(); polls++) {
            clock.now = Math.max(clock.now, schedule.next());
            poll(fresh, 0);
            fresh = 0;
        }
        assertThat(polls).isLessThan(40);
    }

    @Test
    void othersThatStageWhileTheRelayIsAwakeAreFoundWithinTenMilliseconds() {
        poll(0, 3);
        long awakeUntil = clock.now + Duration.ofMillis(500).toNanos();
        while (clock.now - awakeUntil < 0) {
            assertThat(schedule.next() - clock.now).isBetween(1L, PollSchedule.OFTEN.toNanos());
            clock.now = schedule.next();
            poll(0, 0);
        }
    }

    @Test
    void foundMessageOfThisProcessIsNotPolledForAgain() {
        schedule.staged();
        clock.now = schedule.next();
        poll(1, 1);
        assertThat(schedule.next() - clock.now).isEqualTo(PollSchedule.OFTEN.toNanos());
    }

    @Test
    void messageStagedBesideFoundOneIsPolledForSoon() {
        schedule.staged();
        clock.now = schedule.next();
        poll(2, 1);
        assertThat(schedule.next() - clock.now).isEqualTo(PollSchedule.AT_LEAST.toNanos());
    }

    @Test
    void committedMessagesGatherWhileDeliveriesAreUnderWay() {
        poll(0, 1);
        schedule.staged();
        schedule.committed();
        assertThat(schedule.next() - clock.now).isEqualTo(PollSchedule.AT_LEAST.toNanos());
        assertThat(schedule.nextBesideDeliveries() - clock.now).isEqualTo(PollSchedule.OFTEN.toNanos());
    }

    @Test
    void nextOfLaneIsPolledForBesideOtherDeliveries() {
        poll(0, 1);
        schedule.unblocked();
        assertThat(schedule.nextBesideDeliveries()).isEqualTo(clock.now);
        poll(0, 1);
        assertThat(schedule.nextBesideDeliveries() - clock.now).isEqualTo(PollSchedule.OFTEN.toNanos());
    }

    @Test
    void relayNeverPollsWithoutPause() {
        for (int i = 0; i < 1000; i++) {
            schedule.staged();
            schedule.committed();
            assertThat(schedule.next() - clock.now).isPositive();
            clock.now = schedule.next();
            poll(i % 3, i % 2);
        }
    }

    private boolean isDue() {
        return clock.now - schedule.next() >= 0;
    }

    private void poll(int staged, int found) {
        schedule.polled(clock.now, staged, found);
    }

    private static final class ManualClock implements ExecutionEnvironment {

        private long now = 42;

        void pass(Duration time) {
            now += time.toNanos();
        }

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public void startThread(String name, Runnable body) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            throw new UnsupportedOperationException();
        }

        @Override
        public UUID newNonce() {
            return ExecutionEnvironment.system().newNonce();
        }
    }
}
