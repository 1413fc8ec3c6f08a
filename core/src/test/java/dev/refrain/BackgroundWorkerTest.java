package dev.refrain;

import static dev.refrain.testing.AwaitCondition.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.BackgroundTask;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.testing.ManualEnvironment;
import dev.refrain.testing.RecordingListener;
import dev.refrain.testing.ThreadGate;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BackgroundWorkerTest {

    private static final Duration EVERY = Duration.ofSeconds(15);

    private final ManualEnvironment environment = new ManualEnvironment();
    private final RecordingListener events = new RecordingListener();
    private final AtomicInteger steps = new AtomicInteger();
    private volatile BooleanSupplier work = () -> false;
    private final BackgroundWorker worker = new BackgroundWorker(
            new BackgroundTask() {
                @Override
                public String name() {
                    return "chore";
                }

                @Override
                public boolean runStep() {
                    steps.incrementAndGet();
                    return work.getAsBoolean();
                }
            },
            EVERY,
            environment,
            events);

    @AfterEach
    void close() {
        worker.close();
    }

    /** One round begins, and when it is over the next one is planned. */
    private void aRoundGoesBy() {
        until(() -> environment.alarms() == 1);
        environment.advance(EVERY);
    }

    @Test
    void workerRunsOnceEachIntervalAndNotAtStart() {
        worker.start();
        environment.advance(EVERY.minusNanos(1));
        assertThat(steps).hasValue(0);

        environment.advance(Duration.ofNanos(1));
        until(() -> steps.get() == 1);
        aRoundGoesBy();
        until(() -> steps.get() == 2);
    }

    @Test
    void whileThereIsMoreItGoesOnButRestsFourTimesAsLongAsAStepTook() {
        var took = Duration.ofMillis(10);
        work = () -> {
            environment.advance(took);
            return steps.get() < 3;
        };
        worker.start();
        environment.advance(EVERY);
        until(() -> steps.get() == 1 && environment.alarms() == 1);

        environment.advance(took.multipliedBy(4).minusNanos(1));
        assertThat(steps).hasValue(1);
        environment.advance(Duration.ofNanos(1));
        until(() -> steps.get() == 2 && environment.alarms() == 1);
        environment.advance(took.multipliedBy(4));
        until(() -> steps.get() == 3);
    }

    @Test
    void failingStoreIsReportedAndTheNextRoundStillRuns() {
        work = () -> {
            throw steps.get() == 1
                    ? StoreException.unavailable("away", Effect.NONE, null)
                    : new IllegalStateException("a defect");
        };
        worker.start();
        aRoundGoesBy();
        aRoundGoesBy();
        aRoundGoesBy();
        until(() -> steps.get() == 3);

        assertThat(events.of(RefrainEvent.StoreFailed.class))
                .hasSizeGreaterThanOrEqualTo(2)
                .allSatisfy(e -> assertThat(e.call()).isEqualTo("chore"));
    }

    @Test
    void closedItBeginsNothingMoreAndKeepsNoTimer() {
        worker.start();
        aRoundGoesBy();
        until(() -> environment.alarms() == 1);

        worker.close();

        assertThat(environment.alarms()).isZero();
        environment.advance(EVERY.multipliedBy(10));
        assertThat(steps).hasValue(1);
    }

    @Test
    void closedWhileItWorksItEndsAfterTheStep() {
        var gate = new ThreadGate();
        work = () -> {
            gate.pass();
            return true;
        };
        worker.start();
        environment.advance(EVERY);
        gate.awaitArrival();

        worker.close();
        gate.open();

        until(() -> {
            environment.advance(EVERY);
            return environment.alarms() == 0;
        });
        assertThat(steps).hasValue(1);
    }
}
